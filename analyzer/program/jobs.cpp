// Functions that are handed over to run elsewhere: they run where somebody hands them over.
#include <algorithm>

#include "analyzer/program/program.h"

namespace syncsniff::program {

const std::vector<Site>& Program::handed_over(int function) const {
  if (!handed_over_is_known_) {
    handed_over_is_known_ = true;
    for (int f = 0; f < code_.count(); ++f) {
      for (int e = 0; e < static_cast<int>(code_.function(f).events.size()); ++e) {
        for (const Value& arg : code_.function(f).events[e].args) {
          const int given = arg.kind == Value::Kind::kFunction ? code_.find(arg.node) : -1;
          if (given >= 0) handed_over_[given].push_back({f, e});
        }
      }
    }
  }
  return handed_over_[function];
}

// A job that is queued outside the loop that waits for its worker, such as one that sets an environment up, does not
// run in that loop, though the same worker does it.
bool Program::is_handed_over_outside_loops(int job) const {
  const std::vector<Site>& sites = handed_over(job);
  return !sites.empty() && std::all_of(sites.begin(), sites.end(), [&](const Site& site) {
    return heat_in_[site.function].reached && !heat(site).hot;
  });
}

// parallel_for(0, n, [&] { ... }) where the tensors live on the CPU, or where an error is handled: what is handed over
// there runs there, wherever the code that runs it stands. `heat` takes the reason.
void Program::drop_where_handed_over(int function, Heat& heat) const {
  const std::vector<Site>& sites = handed_over(function);
  if (code_.function(function).owner.empty() || sites.empty()) return;
  std::optional<Heat> dropped;
  for (const Site& site : sites) {
    Heat there;
    there.reached = true;
    there = descend(there, site.function, code_.event(site).region);
    if (!there.dropped) return;
    if (!dropped) dropped = there;
  }
  heat = *dropped;
}

}  // namespace syncsniff::program
