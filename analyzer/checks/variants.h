// Source that is more than one function: a template's instantiations, a header under different macros. What holds for
// one of them need not hold for the others, so no edit is made there.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::checks {

// Takes the edits out of findings that stand in a body (file and lines) which means different things in different
// functions of `units`: they are for a person then.
void leave_variants_to_a_person(const std::vector<facts::UnitFacts>& units, std::vector<Finding>& findings);

}  // namespace syncsniff::checks
