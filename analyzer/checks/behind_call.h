// Tests a call and all events that it leads to through other calls.
#pragma once

#include <set>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the test returns true for the call itself or for an event of a function that it reaches. `seen`: functions to
// skip; those that are visited are added.
template <class Test>
bool is_behind(const Program& program, Site call, const Test& test, std::set<int>& seen) {
  if (test(call)) return true;
  for (int callee : program.callees(call)) {
    if (!seen.insert(callee).second) continue;
    for (int e = 0; e < static_cast<int>(program.function(callee).events.size()); ++e) {
      if (is_behind(program, {callee, e}, test, seen)) return true;
    }
  }
  return false;
}

}  // namespace syncsniff::checks
