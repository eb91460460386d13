// What a many-tensor reduction computes, apart from how the elements are reached (chunk_reduce.cuh).
// An op has: identity(), accumulate(state, element) for one element, combine(a, b) for two states, finish(state).
#pragma once

#include <cuda_runtime.h>

namespace syncsniff::detail {

// State is fp32: a thread adds at most a few dozen elements before the tree takes over, so the error grows with the
// depth of the tree and not with the number of elements.
struct SumOp {
  __host__ __device__ static constexpr float identity() { return 0.0f; }
  __device__ static float accumulate(float state, float element) { return state + element; }
  __device__ static float combine(float a, float b) { return a + b; }
  __device__ static float finish(float state) { return state; }
};

}  // namespace syncsniff::detail
