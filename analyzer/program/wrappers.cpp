#include "analyzer/program/wrappers.h"

namespace syncsniff::program {

static constexpr size_t kMostEvents = 24;  // of a wrapper

Wrappers::Wrappers(const Code& code, const CallGraph& graph, const EffectTable& effects)
    : code_(code), graph_(graph), effects_(effects), wrapper_(code.count()), ways_(code.count()) {
  for (int f = 0; f < code.count(); ++f)
    if (!graph.callers(f).empty()) ways_[f] = either_way(f);
  graph.settle([this](int f) {
    if (wrapper_[f] || graph_.callers(f).empty() || !(waits_in_library(f) || looks_like_wrapper(f))) return false;
    wrapper_[f] = true;
    return true;
  });
}

static bool launches_kernels(const Event& event, const ApiFact* fact) {
  if (!fact) return false;
  return fact->launches_kernel ||
         (event.kind == Event::Kind::kTensor && (fact->tensor == "op" || fact->tensor == "layer"));
}

static bool is_repeated_or_debugging(const Function& f, int region) {
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kLoop || f.regions[r].gate == Gate::kDebug) return true;
  }
  return false;
}

bool Wrappers::waits_in_library(int function) const {
  const Function& f = code_.function(function);
  return f.is_adopted && !f.is_kernel && effects_.of(function).waits;
}

// Whether the function makes exactly one blocking call, launches nothing else, has no loop around the call and does
// little else: `pull(x)`, `Stream::sync()`, `value(loss)`, `dot(n, x, y, &result)`. An error check that waits only if a
// debugging switch is on does not count, since it is fixed there, not at its callers.
bool Wrappers::looks_like_wrapper(int function) const {
  const Function& f = code_.function(function);
  if (f.is_kernel || f.is_main || f.events.size() > kMostEvents) return false;
  int blocking = 0;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    const ApiFact* fact = code_.api(event);
    bool blocks = fact && may_wait(*fact) && (event.kind == Event::Kind::kApi || fact->tensor.rfind("sync", 0) == 0);
    for (int callee : graph_.callees({function, e})) {
      if (wrapper_[callee])
        blocks = true;
      else if (effects_.of(callee).enqueues || effects_.of(callee).waits)
        return false;
    }
    if (event.kind == Event::Kind::kLaunch || (!blocks && launches_kernels(event, fact))) return false;
    if (!blocks || e == ways_[function].second) continue;
    if (is_repeated_or_debugging(f, event.region)) return false;
    if (++blocking > 1) return false;
  }
  return blocking == 1;
}

static bool is_wait_alone(const Event& event, const ApiFact* fact) {
  return event.kind == Event::Kind::kApi && fact && !fact->copy && fact->blocks == Blocks::kAlways &&
         (fact->waits_for == WaitsFor::kDevice || fact->waits_for == WaitsFor::kStream ||
          fact->waits_for == WaitsFor::kEvent);
}

// Whether one of the branches runs whenever the code around them does, and never both.
static bool are_alternatives(const Function& f, const Region& a, const Region& b) {
  if (a.kind != Region::Kind::kBranch || b.kind != Region::Kind::kBranch || &a == &b || a.parent != b.parent)
    return false;
  if (f.regions[a.parent].is_switch) return b.text == "default";
  if (a.leaves) return b.bare;  // if (whole) { ...; return; } ...
  return a.place.offset == b.place.offset;
}

Wrappers::Ways Wrappers::either_way(int function) const {
  const Function& f = code_.function(function);
  Ways ways;
  if (f.is_kernel || f.events.size() > kMostEvents) return ways;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!is_wait_alone(f.events[e], code_.api(f.events[e]))) continue;
    if (ways.second >= 0) return {};
    (ways.first < 0 ? ways.first : ways.second) = e;
  }
  if (ways.second < 0) return {};
  const Region &a = f.regions[f.events[ways.first].region], &b = f.regions[f.events[ways.second].region];
  if (!are_alternatives(f, a, b) || a.gate != Gate::kNone || b.gate != Gate::kNone) return {};
  ways.around = f.regions[a.parent].is_switch ? f.regions[a.parent].parent : a.parent;
  return f.regions[ways.around].kind == Region::Kind::kFunction ? ways : Ways{};
}

int Wrappers::region_of(Site blocking) const {
  const Function& f = code_.function(blocking.function);
  return other_way_of(blocking).event >= 0 ? ways_[blocking.function].around : f.events[blocking.event].region;
}

Site Wrappers::other_way_of(Site wait) const {
  const Ways& ways = ways_[wait.function];
  return {wait.function, wrapper_[wait.function] && ways.first == wait.event ? ways.second : -1};
}

bool Wrappers::is_other_way(Site wait) const {
  return wrapper_[wait.function] && wait.event >= 0 && ways_[wait.function].second == wait.event;
}

}  // namespace syncsniff::program
