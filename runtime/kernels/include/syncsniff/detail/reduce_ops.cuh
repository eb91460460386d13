// What a many-tensor reduction computes, apart from how the elements are reached (chunk_reduce.cuh).
// An op has: Output, identity(), accumulate(state, element) for one element, combine(a, b) for two states, and
// finish(state, elements).
#pragma once

#include <cuda_runtime.h>

#include "syncsniff/detail/non_finite.h"

namespace syncsniff::detail {

// State is fp32: each of a thread's four lanes adds at most some 200 elements before the tree takes over, so the error
// grows with the depth of the tree and not with the number of elements.
struct SumOp {
  using Output = float;
  __host__ __device__ static constexpr float identity() { return 0.0f; }
  __device__ static float accumulate(float state, float element) { return state + element; }
  __device__ static float combine(float a, float b) { return a + b; }
  __device__ static float finish(float state, unsigned long long) { return state; }
};

struct MeanOp : SumOp {
  __device__ static float finish(float state, unsigned long long elements) {
    return static_cast<float>(static_cast<double>(state) / static_cast<double>(elements));
  }
};

struct L2NormOp : SumOp {
  __device__ static float accumulate(float state, float element) { return fmaf(element, element, state); }
  __device__ static float finish(float state, unsigned long long) { return sqrtf(state); }
};

// NaN wins, as it does in PyTorch's max.
struct AbsMaxOp {
  using Output = float;
  __host__ __device__ static constexpr float identity() { return 0.0f; }
  __device__ static float accumulate(float state, float element) { return combine(state, fabsf(element)); }
  __device__ static float combine(float a, float b) { return a > b || a != a ? a : b; }
  __device__ static float finish(float state, unsigned long long) { return state; }
};

struct AnyNonFiniteOp {
  using Output = int;
  __host__ __device__ static constexpr float identity() { return 0.0f; }
  __device__ static float accumulate(float state, float element) {
    return (__float_as_uint(element) & kFp32Exponent) == kFp32Exponent ? 1.0f : state;
  }
  __device__ static float combine(float a, float b) { return a + b != 0.0f ? 1.0f : 0.0f; }
  __device__ static int finish(float state, unsigned long long) { return state != 0.0f; }
};

}  // namespace syncsniff::detail
