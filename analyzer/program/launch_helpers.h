// Launch helpers: launch(kernel, n, args...) is a function of the program that launches the kernel passed to it, with a
// grid for n elements. A call of it with a kernel's name is a launch of that kernel.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff {
class ApiTable;
}

namespace syncsniff::program {

// Turns such calls in these units, which are linked together, into launches.
void name_launched_kernels(const std::vector<facts::UnitFacts*>& units, const ApiTable& apis);

}  // namespace syncsniff::program
