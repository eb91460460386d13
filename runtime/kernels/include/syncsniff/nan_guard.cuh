// Tests a whole tensor for NanGuard (nan_guard.h) in one kernel. Needs nvcc or Clang's CUDA.
// Nothing here waits, allocates or throws: errors come back as cudaError_t.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "syncsniff/detail/launch.cuh"
#include "syncsniff/detail/test_finite.cuh"
#include "syncsniff/nan_guard.h"

namespace syncsniff {

// Marks `step` in the guard's flag if one of data[0, count) is NaN or infinite. T: float, double, __half or
// __nv_bfloat16; device memory, aligned to sizeof(T) (16 bytes is fastest). count == 0 launches nothing.
// One launch, reads the tensor once. For several tensors call it once each, then read_flag() once.
// May be captured; leave `step` out then, as it would be the same in every replay: the report has the step of the
// read_flag() that saw it.
template <typename T>
cudaError_t test_finite(const NanGuard& guard, const T* data, std::uint64_t count, std::uint64_t step,
                        cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  constexpr std::uint64_t kPerBlock =
      std::uint64_t{detail::kFiniteThreads} * detail::kFiniteLoadsInFlight * sizeof(uint4) / sizeof(T);
  const std::uint64_t most = std::uint64_t{guard.multiprocessors()} * detail::kFiniteBlocksPerSm;
  const std::uint64_t wanted = (count + kPerBlock - 1) / kPerBlock;
  return detail::launch(detail::test_finite_kernel<T>, static_cast<unsigned>(wanted < most ? wanted : most),
                        detail::kFiniteThreads, stream, data, count, guard.flag(), NanGuard::stamp_of(step));
}
template <typename T>
cudaError_t test_finite(const NanGuard& guard, const T* data, std::uint64_t count, cudaStream_t stream) {
  return test_finite(guard, data, count, NanGuard::kStepOfReading, stream);
}

}  // namespace syncsniff
