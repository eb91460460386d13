#include "analyzer/program/entries.h"

#include <algorithm>

#include "analyzer/facts/places.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

// Whether the loop is bounded by a list, its size or a small number. Other loops may be loops over steps.
bool is_over_elements(const Region& loop) {
  constexpr long kManyElements = 64;
  return !loop.collection.empty() || loop.over_dimension || (loop.trips > 0 && loop.trips <= kManyElements) ||
         loop.text.find("size()") != std::string::npos;
}

// Whether the innermost loop around the region goes over elements; a loop here then goes over an element's tiles or
// chunks.
bool is_part_of_element(const Function& function, int region) {
  for (int r = function.regions[region].parent; r > 0; r = function.regions[r].parent) {
    if (function.regions[r].kind == Region::Kind::kLoop) return is_over_elements(function.regions[r]);
  }
  return false;
}

}  // namespace

Entries::Entries(const Linked& linked, const Loops& loops)
    : code_(linked.code),
      graph_(linked.graph),
      effects_(linked.effects),
      outside_(linked.outside),
      wrappers_(linked.wrappers),
      loops_(loops),
      kept_(linked.code, linked.flows, linked.graph),
      own_loops_(linked.code.count()),
      tensors_(linked.code.count()),
      computes_(linked.code.count()) {
  for (int f = 0; f < code_.count(); ++f)
    if (has_own_loop(f)) own_loops_[f] = true;
  hand_to_callers(own_loops_);
  for (const Site& site : effects_.tensor_work()) tensors_[site.function] = true;
  for (int f = 0; f < code_.count(); ++f) {
    if (!tensors_[f] && outside_.is_taken(f) && (launches_on_tensors(f) || fetches_tensor(linked, f)))
      tensors_[f] = true;
  }
  hand_to_callers(tensors_);
  for (int f = 0; f < code_.count(); ++f) {
    const std::vector<Event>& events = code_.function(f).events;
    computes_[f] = std::any_of(events.begin(), events.end(), [&](const Event& event) { return computes(event); });
  }
  hand_to_callers(computes_);
}

// Whether the event launches a kernel other than those by which a container fills or copies its own memory.
bool Entries::computes(const Event& event) const {
  if (event.kind == Event::Kind::kLaunch || event.kind == Event::Kind::kTensor) return true;
  const ApiFact* fact = event.kind == Event::Kind::kApi ? code_.api(event) : nullptr;
  return fact && fact->launches_kernel && fact->out_arg != kObject && !fact->copy;
}

// Whether the function is a tensor operator with kernels of its own: k<<<blocks, 256>>>(x.data_ptr<float>(),
// x.numel()).
bool Entries::launches_on_tensors(int f) const {
  return effects_.of(f).launches &&
         std::ranges::any_of(code_.function(f).events, [](const Event& e) { return e.kind == Event::Kind::kTensor; });
}

// Whether the function brings a tensor that may be on the GPU to the host.
bool Entries::fetches_tensor(const Linked& linked, int f) const {
  const Function& function = code_.function(f);
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    const Event& event = function.events[e];
    const ApiFact* fact = event.kind == Event::Kind::kTensor ? code_.api(event) : nullptr;
    if (!fact || (fact->tensor != "to_host" && fact->tensor != "sync_scalar") || is_off(function, event.region))
      continue;
    const Devices where = linked.devices.of(event.object, code_.reading({f, e}));
    if (where.cuda || where.unknown || !where.cpu) return true;
  }
  return false;
}

bool Entries::runs_each_call(int f) const {
  const Function& function = code_.function(f);
  if (!effects_.of(f).launches || function.is_kernel || function.is_main) return false;
  if (!computes_[f] && !tensors_[f]) return false;  // it only loads data for others
  const bool taken = tensors_[f] && outside_.is_taken(f);
  // If the function launches GPU work in a loop of its own, directly or through calls, that loop makes its own heat,
  // and the code around it runs before and after the training. This does not hold for an operator that an extension
  // registers with Python, whose loop is part of a step.
  if (own_loops_[f] && !taken) return false;
  if (!effects_.of(f).waits && !kept_.makes(f) && !tensors_[f]) return false;  // it only enqueues
  if (is_special_member(function) || wrappers_.looks_like_wrapper(f) || loops_.setup.builds(f) || only_constructs(f))
    return false;
  return !kept_.keeps_or_gives_back(f);
}

// Whether the function returns the object that the event constructs: return new Buffer(n), or a variable that holds it.
bool Entries::returns_object(int f, int event) const {
  const std::vector<Event>& events = code_.function(f).events;
  const facts::Text& into = events[event].into;
  return std::ranges::any_of(events, [&](const Event& e) {
    if (e.kind != Event::Kind::kReturn) return false;
    if (into.empty()) return facts::lies_in(events[event].place, e.place);
    return std::ranges::any_of(facts::values(e.args), [&](const Value& value) { return value.node == into; });
  });
}

// Whether all GPU work of the function is that of constructing an object which it returns, as in a factory.
bool Entries::only_constructs(int f) const {
  const std::vector<Event>& events = code_.function(f).events;
  bool any = false;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    const Effects effects = effects_.of({f, e});
    if (!effects.enqueues && !effects.waits) continue;
    if (!graph_.constructs({f, e}) || !returns_object(f, e)) return false;
    any = true;
  }
  return any;
}

bool Entries::is_whole_job(int f) {
  if (!kept_.makes(f)) return false;
  if (!host_arguments_) host_arguments_.emplace(code_, graph_);
  return host_arguments_->are_uploaded(f) && host_arguments_->are_filled(f);
}

// What a function does outside of error handling, its callers do, too: sets `does` for them.
void Entries::hand_to_callers(std::vector<bool>& does) const {
  std::vector<int> work;
  for (int f = 0; f < code_.count(); ++f)
    if (does[f]) work.push_back(f);
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const Site& caller : graph_.callers(f)) {
      if (does[caller.function]) continue;
      if (is_off_or_once(code_.function(caller.function), code_.event(caller).region)) continue;
      does[caller.function] = true;
      work.push_back(caller.function);
    }
  }
}

bool Entries::has_own_loop(int f) const {
  if (loops_.recursive[f]) return true;
  if (!effects_.of(f).launches) return false;
  const Function& function = code_.function(f);
  const std::vector<bool> steps = same_each_time(f);
  for (int r = 0; r < static_cast<int>(function.regions.size()); ++r) {
    const bool loop = loops_.feeding.is_feeding_loop(f, r);
    if (!loop || loops_.setup.is_brief(f, r)) continue;
    const bool trains = loops_.epochs.steps(f, r) || loops_.epochs.holds_step_loop(f, r);
    if ((steps[r] && !function.regions[r].over_dimension) || trains) return true;
    if (!is_over_elements(function.regions[r]) && !is_part_of_element(function, r)) return true;
  }
  return false;
}

// For each region: whether some launch in it works on data that does not depend on the loop, so that it repeats the
// same step. In a loop over layers or parameters, each launch works on its own data.
std::vector<bool> Entries::same_each_time(int f) const {
  constexpr int kMostLoops = 64;  // loops around one launch
  const Function& function = code_.function(f);
  std::vector<bool> out(function.regions.size(), false);
  for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
    const Event& event = function.events[e];
    if (!effects_.of({f, e}).launches) continue;
    const auto& varies = event.loops.varies_with;
    int depth = 0;
    for (int r = event.region; r > 0 && depth < kMostLoops; r = function.regions[r].parent, ++depth)
      out[r] = out[r] || std::find(varies.begin(), varies.end(), r) == varies.end();
  }
  return out;
}

}  // namespace syncsniff::program
