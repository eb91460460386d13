// Chains of the program's own pointwise operations: operators and methods that launch one elementwise kernel each,
// where the result of one is an operand of the next. tensor_chains.h handles LibTorch's, kernel_chains.h bare kernels.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/checks/usual_work.h"

namespace syncsniff::checks {

// Each chain: events of one region in source order whose intermediate results nothing outside the chain reads.
std::vector<std::vector<int>> operator_chains(const Program& program, int function, UsualWorks& works);

}  // namespace syncsniff::checks
