// Explains why a line has no finding, or a less severe one, to a person who expected one there.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// For each call on the line that waits, copies, allocates or launches: the loop that runs it and why a finding there is
// less severe or withheld, or that it is in no hot loop. The rules' own decisions are in Reporter::withheld().
std::vector<PathStep> why_not(const Program& program, const RequestedLine& requested_line);

}  // namespace syncsniff::checks
