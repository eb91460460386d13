// Is the event that is waited for an earlier step's? That wait keeps steps in flight: it is the cure, not the disease.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Recorded only later in the same iteration; in another slot of a ring; or the oldest of a queue that holds several.
bool waits_for_earlier_step(const Program& program, const Located& where);

}  // namespace syncsniff::checks
