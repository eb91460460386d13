// Calls on objects of a known class. In Base::run() { before(); forward(); after(); } the object decides which virtual
// forward() runs. If a call shows the class of its object, it is redirected to a copy of run() for that class, in which
// forward() is that class's.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

// Adds such copies to these units, which are linked together, and redirects the calls to them.
void part_by_receiver(const std::vector<facts::UnitFacts*>& units);

}  // namespace syncsniff::program
