// What `check` and `fix` need on this machine and in this folder: found, or how to get it. Looks with the code that
// they look with; analyses nothing.
#pragma once

#include <vector>

#include "rules/config/config.h"
#include "rules/diagnosis.h"

namespace syncsniff {

std::vector<Diagnosis> diagnose_check(const ConfigChoice& choice);

}  // namespace syncsniff
