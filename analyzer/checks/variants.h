// Source text that becomes several functions: instantiations of a template, a header under different macros. A finding
// in one of them may be wrong for the others, so no edit is made there.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::checks {

// Removes the edits of findings in a body (file and lines) that means different things in different functions of
// `units`; these findings are left to a person.
void leave_variants_to_a_person(const std::vector<facts::UnitFacts>& units, std::vector<Finding>& findings);

}  // namespace syncsniff::checks
