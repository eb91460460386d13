// How many launches a call leads to: a layer or a whole step launches many, an update of one tensor few.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Launches in the source of everything that a call reaches, counted up to `most` and a little beyond.
int launches_behind(const Program& program, Site site, int most);

}  // namespace syncsniff::checks
