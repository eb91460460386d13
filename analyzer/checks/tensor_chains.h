// Chains of pointwise LibTorch operations in one function, where one operation's result is an operand of the next. Each
// operation reads and writes whole tensors.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/checks/tensor_results.h"

namespace syncsniff::checks {

struct TensorChain {
  std::vector<int> events;  // the operations, in source order
  int reduction = -1;       // an operation that reduces the last one's result; -1: none
};

// Whether the operation overwrites its operand: x.add_(y), x += y.
bool in_place(const Event& event);

// The chains of a function: operations of one region whose intermediate results nothing outside the chain reads.
std::vector<TensorChain> tensor_chains(const Program& program, int function, TensorResults& results);

}  // namespace syncsniff::checks
