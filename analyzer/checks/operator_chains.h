// Chains of a program's own pointwise operations: operators and methods that each launch one elementwise kernel, where
// one's result is the next one's operand. LibTorch's are in tensor_chains.h, bare kernels in kernel_chains.h.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/checks/usual_work.h"

namespace syncsniff::checks {

// Events of a function in source order, those of one region whose intermediate results only the chain reads.
std::vector<std::vector<int>> operator_chains(const Program& program, int function, UsualWorks& works);

}  // namespace syncsniff::checks
