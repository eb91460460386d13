// What `check` and `fix` need on this machine and in this folder: found, or how to get it. Uses the same search code as
// they do; analyses nothing.
#pragma once

#include <vector>

#include "rules/config/config.h"
#include "rules/diagnosis.h"

namespace syncsniff {

std::vector<Diagnosis> diagnose_check(const ConfigChoice& choice);

}  // namespace syncsniff
