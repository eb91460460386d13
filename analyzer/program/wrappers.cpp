#include "analyzer/program/wrappers.h"

namespace syncsniff::program {

Wrappers::Wrappers(const Code& code, const CallGraph& graph, const EffectTable& effects)
    : code_(code), graph_(graph), effects_(effects), wrapper_(code.count()) {
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
  if (f.is_kernel || f.is_main || f.events.size() > 24) return false;
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
    if (!blocks) continue;
    if (is_repeated_or_debugging(f, event.region)) return false;
    if (++blocking > 1) return false;
  }
  return blocking == 1;
}

}  // namespace syncsniff::program
