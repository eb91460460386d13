// What `run` needs on this machine: found, or how to get it. Starts no program of the user's and no CUDA.
#pragma once

#include <vector>

#include "rules/diagnosis.h"

namespace syncsniff::launcher {

std::vector<Diagnosis> diagnose_run();

}  // namespace syncsniff::launcher
