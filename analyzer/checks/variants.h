// Source that is more than one function: a template's instantiations, a header under different macros. What holds for
// one of them need not hold for the others, so no edit is made there.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::checks {

// The bodies (file and lines) that mean different things in different functions of `units`.
std::vector<facts::Place> bodies_that_differ(const std::vector<facts::UnitFacts>& units);

// Takes the edits out of findings that stand in one of `bodies`: they are for a person then.
void leave_to_a_person(const std::vector<facts::Place>& bodies, std::vector<Finding>& findings);

}  // namespace syncsniff::checks
