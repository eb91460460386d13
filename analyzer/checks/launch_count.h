// Counts the launches that a call leads to: a layer or a whole step makes many, an update of one tensor few.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// The number of launches in the source of everything that the call reaches. Counting stops once it exceeds `most`.
int launches_behind(const Program& program, Site site, int most);

}  // namespace syncsniff::checks
