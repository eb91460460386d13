// Callables that a call hands to a function which runs them: for_each_device([&] { set_up(); }) runs its lambda as
// often as that call runs, whatever other callers of for_each_device hand over in the training loop.
#include <algorithm>

#include "analyzer/program/program.h"

namespace syncsniff::program {

// Of an indirect call: the index of its function's parameter that it calls; -1: it calls something else.
static int called_parameter(const Function& f, const Event& call) {
  if (!call.indirect || call.object.kind != Value::Kind::kNode) return -1;
  const auto found = std::find(f.params.begin(), f.params.end(), call.object.node);
  return found == f.params.end() ? -1 : static_cast<int>(found - f.params.begin());
}

void Program::find_callbacks() {
  for (int f = 0; f < code_.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
      const int parameter = called_parameter(code_.function(f), code_.function(f).events[e]);
      if (parameter >= 0) find_callbacks_of({f, e}, parameter);
    }
  }
}

void Program::find_callbacks_of(Site inside, int parameter) {
  const std::vector<int>& run = graph_.callees(inside);
  for (const Site& caller : graph_.callers(inside.function)) {
    const Event& call = code_.event(caller);
    if (call.indirect || parameter >= static_cast<int>(call.args.size())) continue;
    for (const std::string& usr : provenance_.function_values(call.args[parameter], caller.function)) {
      const int callback = code_.find(usr);
      if (std::find(run.begin(), run.end(), callback) == run.end()) continue;
      callbacks_[caller].push_back({inside, callback});
      handing_calls_[{inside, callback}].push_back(caller);
    }
  }
}

const std::vector<Site>& Program::calls_handing_over(Site call, int callee) const {
  static const std::vector<Site> kNone;
  const auto found = handing_calls_.find({call, callee});
  return found == handing_calls_.end() ? kNone : found->second;
}

// start = now(); for (i < n) work(); return now() - start, where `work` is what the function was handed: it measures that,
// and a wait in it ends what is measured.
bool Program::times_callbacks(int function, int region) const {
  const auto [known, fresh] = timing_loops_.try_emplace({function, region}, false);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool begins = false, runs = false, ends = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const ApiFact* fact = code_.api(f.events[e]);
    if (!code_.inside(f, f.events[e].region, region)) {
      const bool clock = fact && fact->host_work == "clock";
      begins |= clock && !runs;
      ends |= clock && runs;
      continue;
    }
    if (!effects_.of({function, e}).enqueues) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    if (to.empty() || !std::all_of(to.begin(), to.end(), [&](int c) { return runs_callback({function, e}, c); }))
      return false;
    runs = true;
  }
  return known->second = begins && runs && ends;
}

}  // namespace syncsniff::program
