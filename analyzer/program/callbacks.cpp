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
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      const int parameter = called_parameter(*functions_[f], functions_[f]->events[e]);
      if (parameter >= 0) find_callbacks_of({f, e}, parameter);
    }
  }
}

void Program::find_callbacks_of(Site inside, int parameter) {
  const std::vector<int>& run = callees(inside);
  for (const Site& caller : callers_[inside.function]) {
    const Event& call = event(caller);
    if (call.indirect || parameter >= static_cast<int>(call.args.size())) continue;
    for (const std::string& usr : function_values(call.args[parameter], caller.function)) {
      const int callback = find(usr);
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
  const Function& f = *functions_[function];
  bool begins = false, runs = false, ends = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const ApiFact* fact = api(f.events[e]);
    if (!inside(f, f.events[e].region, region)) {
      const bool clock = fact && fact->host_work == "clock";
      begins |= clock && !runs;
      ends |= clock && runs;
      continue;
    }
    if (!effects_of({function, e}).enqueues) continue;
    const std::vector<int>& to = callees({function, e});
    if (to.empty() || !std::all_of(to.begin(), to.end(), [&](int c) { return runs_callback({function, e}, c); }))
      return false;
    runs = true;
  }
  return known->second = begins && runs && ends;
}

}  // namespace syncsniff::program
