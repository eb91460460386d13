#include "analyzer/program/epochs.h"

#include <algorithm>

#include "analyzer/frequency/gates.h"
#include "analyzer/program/learning.h"

namespace syncsniff::program {

namespace {

constexpr int kMostCallsToBatches = 3;  // calls from an epoch loop to the loop over its batches

// The innermost loop around an event; a loop over several optimizers is skipped, since it is no loop over steps.
int loop_of(const Function& f, const Event& event) {
  const auto& varies = event.loops.varies_with;
  for (int r = event.region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind != Region::Kind::kLoop) continue;
    if (is_optimizer_step(event) && std::find(varies.begin(), varies.end(), r) != varies.end()) continue;
    return r;
  }
  return -1;
}

}  // namespace

// With one wait per hundred iterations of an inner loop, the GPU has work most of the time.
constexpr long kManyTrips = 100;

bool Epochs::looks_like_steps(const Region& loop, bool by_name) const {
  return loop.trips >= kManyTrips || (by_name && frequency::goes_through(LoopKind::kBatches, loop, words_));
}

bool Epochs::leads_to_update(Site site) const {
  const std::vector<int>& to = graph_.callees(site);
  return std::any_of(to.begin(), to.end(), [&](int callee) { return updates_[callee]; });
}

Epochs::Epochs(const Code& code, const CallGraph& graph, const EffectTable& effects, const FeedingLoops& feeding,
               const Words& words)
    : code_(code),
      graph_(graph),
      effects_(effects),
      feeding_(feeding),
      words_(words),
      steps_(code.count()),
      holds_steps_(code.count()),
      updates_(code.count()),
      trains_(code.count()) {
  bool optimizers = false;
  for (int f = 0; f < code.count(); ++f) {
    steps_[f].assign(code.function(f).regions.size(), false);
    holds_steps_[f].assign(code.function(f).regions.size(), false);
    const auto& events = code.function(f).events;
    optimizers |= std::any_of(events.begin(), events.end(), is_optimizer_step);
  }
  const auto is_update = optimizers ? is_optimizer_step : is_backward;
  graph.settle_events([&](Site site) { return read_event(site, is_update(code.event(site))); });
}

bool Epochs::read_event(Site site, bool is_update) {
  bool changed = false;
  const auto set = [&](std::vector<bool>::reference to) {
    changed |= !to;
    to = true;
  };
  const int f = site.function;
  const Function& function = code_.function(f);
  const Event& event = code_.event(site);
  const bool update = is_update || leads_to_update(site);
  const int loop = update ? loop_of(function, event) : -1;
  if (update && loop < 0) set(updates_[f]);
  if (loop >= 0) set(steps_[f][loop]);
  const auto& to = graph_.callees(site);
  const bool trains = std::any_of(to.begin(), to.end(), [&](int callee) { return trains_[callee]; });
  if (loop < 0 && !trains) return changed;
  set(trains_[f]);
  for (int r = loop >= 0 ? function.regions[loop].parent : event.region; r >= 0; r = function.regions[r].parent)
    set(holds_steps_[f][r]);
  return changed;
}

bool Epochs::any_trains() const {
  return std::any_of(trains_.begin(), trains_.end(), [](bool one) { return one; });
}

// Whether a condition that is rarely true is between the two regions: `if (step % 100 == 0) for (...) validate();` does
// not make an iteration an epoch.
static bool is_seldom_within(const Function& f, int region, int around) {
  for (int r = region; r > 0 && r != around; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kBranch && f.regions[r].gate != Gate::kNone) return true;
  }
  return false;
}

// Whether another loop inside the loop, directly or through calls, is one over steps according to its head: by its
// number of iterations, or (`by_name`) also by its words.
bool Epochs::repeats_steps(int function, int region, bool by_name, int depth) const {
  const Function& f = code_.function(function);
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    const Region& inner = f.regions[r];
    const bool loop = (r != region || depth > 0) && feeding_.is_feeding_loop(function, r);
    if (loop && code_.inside(f, r, region) && !is_seldom_within(f, r, region) && looks_like_steps(inner, by_name))
      return true;
  }
  if (depth >= kMostCallsToBatches) return false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, region) || is_seldom_within(f, f.events[e].region, region)) continue;
    for (int callee : graph_.callees({function, e})) {
      if (effects_.of(callee).launches && callee_repeats_steps(callee, by_name, depth + 1)) return true;
    }
  }
  return false;
}

bool Epochs::callee_repeats_steps(int function, bool by_name, int depth) const {
  const std::pair<int, int> key{function, 2 * depth + by_name};
  const auto known = repeating_callees_.find(key);
  if (known != repeating_callees_.end()) return known->second;
  return repeating_callees_[key] = repeats_steps(function, 0, by_name, depth);
}

bool Epochs::is_epoch_loop(int function, int region) const {
  const auto known = epoch_loops_.find({function, region});
  if (known != epoch_loops_.end()) return known->second;
  return epoch_loops_[{function, region}] = looks_like_epoch_loop(function, region);
}

bool Epochs::holds_steps(int function, int region, bool by_name) const {
  return holds_steps_[function][region] || repeats_steps(function, region, by_name);
}

bool Epochs::looks_like_epoch_loop(int function, int region) const {
  if (steps_[function][region]) return false;
  if (holds_steps(function, region, true)) return true;
  const Function& f = code_.function(function);
  if (!frequency::goes_through(LoopKind::kEpochs, f.regions[region], words_)) return false;
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    if (r != region && feeding_.is_feeding_loop(function, r) &&
        !frequency::goes_through(LoopKind::kLayers, f.regions[r], words_) && code_.inside(f, r, region)) {
      return true;
    }
  }
  return false;
}

}  // namespace syncsniff::program
