// Why a line has no finding, or a less severe one: for a person who expected one there.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// For each call on the line that waits, copies, allocates or launches: the loop that runs it and what lowers or
// withholds a finding there, or that no loop leads to it. What the rules themselves decided is in Reporter::withheld().
std::vector<PathStep> why_not(const Program& program, const RequestedLine& requested_line);

}  // namespace syncsniff::checks
