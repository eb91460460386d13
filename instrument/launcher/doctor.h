// Checks what `run` needs on this machine, and says how to get what is missing. Starts no program of the user and does
// not initialise CUDA.
#pragma once

#include <vector>

#include "rules/diagnosis.h"

namespace syncsniff::launcher {

std::vector<Diagnosis> diagnose_run();

}  // namespace syncsniff::launcher
