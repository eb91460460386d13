// Operations over many tensors of mixed sizes in ONE launch, in place of a loop that launches one kernel a tensor.
// Needs CUDA alone, C++17. Nothing waits, allocates, throws or exits: errors come back as cudaError_t.
#pragma once

#include <cuda_runtime.h>

#include "syncsniff/detail/chunk_reduce.cuh"
#include "syncsniff/detail/reduce_ops.cuh"
#include "syncsniff/multi_tensor_plan.cuh"

namespace syncsniff::multi_tensor {

namespace internal {

template <typename Op, typename T>
cudaError_t reduce(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  if (!plan.built()) return cudaErrorInvalidValue;
  detail::chunk_reduce_kernel<Op, T>
      <<<plan.grid_blocks(), detail::kReduceThreads, 0, stream>>>(plan.table(), per_tensor, total);
  return cudaPeekAtLastError();
}

}  // namespace internal

// Sums of every tensor of the plan and of all of them, accumulated in fp32.
//   per_tensor: device memory for plan.tensor_count() floats, or null; an empty tensor's sum is 0
//   total:      device memory for one float, or null
// One launch on `stream`; the results are there when that stream reaches the point after it. The plan's launches must
// be ordered among themselves (see Plan). May be captured into a graph.
// The bits of the results depend on the sizes, the addresses modulo 16 and the chunk size, and on nothing else: the
// same from run to run and from one device to another.
// Moves plan.total_bytes() from memory once; everything else is under 1 % of it for tensors of 16 KiB and more.
template <typename T>
cudaError_t sum(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  return internal::reduce<detail::SumOp>(plan, per_tensor, total, stream);
}

}  // namespace syncsniff::multi_tensor
