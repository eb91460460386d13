// Pointwise LibTorch operations of one function that depend on each other: each reads and writes whole tensors.
#pragma once

#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/checks/tensor_results.h"

namespace syncsniff::checks {

struct TensorChain {
  std::vector<int> events;  // the operations, in source order
  int reduction = -1;       // an operation that sums the last one's result; -1: none
};

// x.add_(y), x += y: what x held is replaced.
bool in_place(const Event& event);

// The chains of a function: operations of one region whose results only the chain itself reads.
std::vector<TensorChain> tensor_chains(const Program& program, int function, TensorResults& results);

}  // namespace syncsniff::checks
