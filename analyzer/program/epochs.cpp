// Which loops are those of the steps and which those of the epochs around them. What the loops hold decides: a step is
// what the optimizer steps in. Names are asked only where the code does not tell.
#include <algorithm>

#include "analyzer/frequency/gates.h"
#include "analyzer/program/program.h"
#include "analyzer/program/steps.h"

namespace syncsniff::program {

namespace {

constexpr int kMaxDepth = 3;  // calls from an epoch's loop to the loop over its batches

// The innermost loop around an event; one over several optimizers is no loop over steps.
int loop_of(const Function& f, const Event& event) {
  const auto& varies = event.varies_with;
  for (int r = event.region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind != Region::Kind::kLoop) continue;
    if (is_optimizer_step(event) && std::find(varies.begin(), varies.end(), r) != varies.end()) continue;
    return r;
  }
  return -1;
}

}  // namespace

bool is_optimizer_step(const Event& event) {
  return event.kind == Event::Kind::kTensor && event.callee.rfind("torch::optim::", 0) == 0 &&
         event.callee.ends_with("::step");
}
bool is_backward(const Event& event) {
  return event.kind == Event::Kind::kTensor &&
         (event.callee == "at::Tensor::backward" || event.callee == "torch::autograd::backward");
}

// A wait for each hundred iterations of an inner loop leaves the GPU fed most of the time.
constexpr long kManyTrips = 100;

bool Program::looks_like_steps(const Region& loop, bool by_name) const {
  return loop.trips >= kManyTrips || (by_name && frequency::goes_through(LoopKind::kBatches, loop, words_));
}

bool Program::leads_to_update(Site site) const {
  const std::vector<int>& to = graph_.callees(site);
  return std::any_of(to.begin(), to.end(), [&](int callee) { return updates_[callee]; });
}

void Program::find_step_loops() {
  const int count = code_.count();
  updates_.assign(count, false);
  trains_.assign(count, false);
  steps_.assign(count, {});
  holds_steps_.assign(count, {});
  bool optimizers = false;
  for (int f = 0; f < count; ++f) {
    steps_[f].assign(code_.function(f).regions.size(), false);
    holds_steps_[f].assign(code_.function(f).regions.size(), false);
    const auto& events = code_.function(f).events;
    optimizers |= std::any_of(events.begin(), events.end(), is_optimizer_step);
  }
  const auto is_update = optimizers ? is_optimizer_step : is_backward;
  for (bool changed = true; changed;) {
    changed = false;
    const auto set = [&](std::vector<bool>::reference to) {
      changed |= !to;
      to = true;
    };
    for (int f = 0; f < count; ++f) {
      const Function& function = code_.function(f);
      for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
        const Event& event = function.events[e];
        const bool update = is_update(event) || leads_to_update({f, e});
        const int loop = update ? loop_of(function, event) : -1;
        if (update && loop < 0) set(updates_[f]);
        if (loop >= 0) set(steps_[f][loop]);
        const auto& to = graph_.callees({f, e});
        const bool trains = std::any_of(to.begin(), to.end(), [&](int callee) { return trains_[callee]; });
        if (loop < 0 && !trains) continue;
        set(trains_[f]);
        for (int r = loop >= 0 ? function.regions[loop].parent : event.region; r >= 0; r = function.regions[r].parent)
          set(holds_steps_[f][r]);
      }
    }
  }
}

// Between the two stands a condition that seldom holds: `if (step % 100 == 0) for (...) validate();` makes no epoch of
// an iteration.
static bool is_seldom_within(const Function& f, int region, int around) {
  for (int r = region; r > 0 && r != around; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kBranch && f.regions[r].gate != facts::Gate::kNone) return true;
  }
  return false;
}

// Inside the loop, here or in what it calls, another loop goes through steps, as far as its head tells: by its number
// of iterations, or else (`by_name`) by its words, too.
bool Program::repeats_steps(int function, int region, bool by_name, int depth) const {
  const Function& f = code_.function(function);
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    const Region& inner = f.regions[r];
    const bool loop = (r != region || depth > 0) && inner.kind == Region::Kind::kLoop && region_launches_[function][r];
    if (loop && code_.inside(f, r, region) && !is_seldom_within(f, r, region) && looks_like_steps(inner, by_name))
      return true;
  }
  if (depth >= kMaxDepth) return false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, region) || is_seldom_within(f, f.events[e].region, region)) continue;
    for (int callee : graph_.callees({function, e})) {
      if (effects_.of(callee).launches && callee_repeats_steps(callee, by_name, depth + 1)) return true;
    }
  }
  return false;
}

bool Program::callee_repeats_steps(int function, bool by_name, int depth) const {
  const std::pair<int, int> asked{function, 2 * depth + by_name};
  const auto known = repeating_callees_.find(asked);
  if (known != repeating_callees_.end()) return known->second;
  return repeating_callees_[asked] = repeats_steps(function, 0, by_name, depth);
}

bool Program::is_epoch_loop(int function, int region) const {
  const auto known = epoch_loops_.find({function, region});
  if (known != epoch_loops_.end()) return known->second;
  return epoch_loops_[{function, region}] = looks_like_epoch_loop(function, region);
}

bool Program::holds_steps(int function, int region, bool by_name) const {
  return holds_steps_[function][region] || repeats_steps(function, region, by_name);
}

bool Program::looks_like_epoch_loop(int function, int region) const {
  if (steps_[function][region]) return false;
  if (holds_steps(function, region, true)) return true;
  const Function& f = code_.function(function);
  if (!frequency::goes_through(LoopKind::kEpochs, f.regions[region], words_)) return false;
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    if (r != region && f.regions[r].kind == Region::Kind::kLoop && region_launches_[function][r] &&
        !frequency::goes_through(LoopKind::kLayers, f.regions[r], words_) && code_.inside(f, r, region)) {
      return true;
    }
  }
  return false;
}

}  // namespace syncsniff::program
