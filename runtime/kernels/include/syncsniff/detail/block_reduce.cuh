// A reduction over one block whose order is fixed by thread numbers alone, so that its bits repeat from run to run.
#pragma once

#include <cuda_runtime.h>

namespace syncsniff::detail {

inline constexpr int kWarpThreads = 32;
inline constexpr unsigned kFullMask = 0xffffffffu;

template <typename Op>
__device__ __forceinline__ float warp_reduce(float state) {
#pragma unroll
  for (int offset = kWarpThreads / 2; offset > 0; offset /= 2) {
    state = Op::combine(state, __shfl_xor_sync(kFullMask, state, offset));
  }
  return state;
}

// All kThreads threads call it; thread 0 gets the result, the others get something. Two barriers.
template <typename Op, int kThreads>
__device__ __forceinline__ float block_reduce(float state) {
  static_assert(kThreads % kWarpThreads == 0 && kThreads / kWarpThreads <= kWarpThreads, "whole warps, at most 32");
  constexpr int kWarps = kThreads / kWarpThreads;
  __shared__ float of_warp[kWarps];
  const int warp = static_cast<int>(threadIdx.x) / kWarpThreads;
  const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
  state = warp_reduce<Op>(state);
  __syncthreads();  // an earlier call's of_warp may still be read
  if (lane == 0) of_warp[warp] = state;
  __syncthreads();
  if (warp == 0) state = warp_reduce<Op>(lane < kWarps ? of_warp[lane] : Op::identity());
  return state;
}

}  // namespace syncsniff::detail
