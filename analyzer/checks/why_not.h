// Why a line has no finding, or a less severe one: for a person who expected one there.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// For each call on the line that waits, copies, allocates or launches: the loop that runs it and what lowers or
// withholds it there, or that no such loop leads to it. What the rules themselves decided the reporter has.
std::vector<PathStep> why_not(const Program& program, const AskedLine& asked);

}  // namespace syncsniff::checks
