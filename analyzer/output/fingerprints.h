// Which of several findings with the same text has which fingerprint.
#pragma once

#include <vector>

#include "rules/finding.h"

namespace syncsniff::output {

// Calls with the same text in one function are numbered from the top, and the number is part of the fingerprint. A
// baseline does not contain what a comment allows, so allowed findings get the highest numbers: an allowed call that is
// added above an old one then leaves the old one its fingerprint. To be called once it is known what is allowed.
void number_allowed_last(std::vector<Finding>& findings);

}  // namespace syncsniff::output
