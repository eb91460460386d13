// Facts as text, for tests and for finding out why there is a finding, or none.
#pragma once

#include <string>

#include "analyzer/facts/facts.h"

namespace syncsniff::facts {

// One line for the unit, each function, region, call and flow of values; fields without a value are left out. Names of
// nodes: names.h.
//     function train(float *, int) line 8, main
//       region 1 in 0: loop, line 9 "for (int i = 0; i < n; ++i)"
//       event 0 in 1: launch of step, line 10, args: node p:...#0
//       flow into v:...x in 0: allocation of device memory
std::string text_of(const UnitFacts& unit);
std::string text_of(const Value& value);

}  // namespace syncsniff::facts
