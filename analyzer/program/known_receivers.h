// Base::run() { before(); forward(); after(); } with a virtual forward(): which one runs, the object decides. Where a
// call says the class of its object, it calls a run() of that class's own, in which forward() is that class's.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// Adds such functions to these units, which are linked together, and makes the calls theirs.
void part_by_receiver(const std::vector<facts::UnitFacts*>& units);

}  // namespace syncsniff::program
