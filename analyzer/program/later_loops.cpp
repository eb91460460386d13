#include "analyzer/program/later_loops.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::program {
namespace {

std::vector<bool> functions_leading_to_loops(const Linked& linked, const Loops& loops) {
  std::vector<bool> out(linked.code.count());
  loops.feeding.any([&](int f, int r) {
    if (!loops.recursive[f] && !loops.setup.is_brief(f, r)) out[f] = true;
    return false;
  });
  return linked.graph.with_callers(std::move(out));
}

}  // namespace

LaterLoops::LaterLoops(const Linked& linked, const Loops& loops)
    : linked_(linked), loops_(loops), leads_to_loop_(functions_leading_to_loops(linked, loops)) {}

bool LaterLoops::begin_after_recursion(int function) const {
  std::set<int> seen{function};
  std::vector<int> cycle{function};
  for (size_t i = 0; i < cycle.size(); ++i) {
    for (const Site& call : linked_.graph.callers(cycle[i])) {
      if (!loops_.recursive[call.function]) {
        if (begin_after(call, seen)) return true;
      } else if (seen.insert(call.function).second) {
        cycle.push_back(call.function);
      }
    }
  }
  return false;
}

bool LaterLoops::begin_after(Site call, std::set<int>& seen) const {
  const Function& f = linked_.code.function(call.function);
  const int around = innermost_loop(f, f.events[call.event].region);
  for (int e = call.event + 1; e < static_cast<int>(f.events.size()); ++e) {
    const int loop = innermost_loop(f, f.events[e].region);
    if (loop >= 0 && loop != around && loops_.feeding.launches(call.function, loop)) return true;
    const std::vector<int>& callees = linked_.graph.callees({call.function, e});
    if (std::any_of(callees.begin(), callees.end(),
                    [&](int callee) { return leads_to_loop_[callee] && !loops_.recursive[callee]; }))
      return true;
  }
  if (!seen.insert(call.function).second) return false;
  const std::vector<Site>& callers = linked_.graph.callers(call.function);
  return std::any_of(callers.begin(), callers.end(), [&](const Site& outer) { return begin_after(outer, seen); });
}

}  // namespace syncsniff::program
