// Source text that is compiled to several different functions: instantiations of a template, or a header under
// different macros. A finding in one of them may be wrong for the others, so no automatic edit is made there.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"
#include "rules/finding.h"

namespace syncsniff::checks {

// Removes the edits of findings in a function body (file and lines) that means different things in different functions
// of `units`. The findings stay, and a person decides about the fix.
void leave_variants_to_a_person(const std::vector<facts::UnitFacts>& units, std::vector<Finding>& findings);

}  // namespace syncsniff::checks
