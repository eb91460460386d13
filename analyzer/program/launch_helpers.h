// launch(kernel, n, args...): a function of the program's own that launches the kernel which it is given, as big as the
// data. A call of it with a kernel's name is a launch of that kernel.
#pragma once

#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff {
class ApiTable;
}

namespace syncsniff::program {

// Makes such calls of these units, which are linked together, launches.
void name_launched_kernels(const std::vector<facts::UnitFacts*>& units, const ApiTable& apis);

}  // namespace syncsniff::program
