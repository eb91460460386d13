// The device's side of GraphScalar (readback.h): one value a launch into pinned memory, capturable into a graph.
// Needs nvcc or Clang's CUDA; nothing here waits, allocates or throws.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "syncsniff/detail/launch.cuh"
#include "syncsniff/readback.h"

namespace syncsniff {
namespace detail {

// One thread. The fences keep the order for a host that reads meanwhile: number gone, value, number.
template <typename T>
__global__ void publish_kernel(SequencedView<T> view, const T* device_value) {
  std::uint32_t words[kWordsOf<T>] = {};
  // As bytes: T may have no assignment. The alignment lets them travel as words.
  memcpy(words, __builtin_assume_aligned(device_value, alignof(T)), sizeof(T));
  const std::uint64_t sequence = *view.counter + 1;
  *view.counter = sequence;
  SequencedSlot<T>& slot = view.slots[(sequence - 1) % view.capacity];
  slot.sequence = 0;
  __threadfence_system();
  for (std::size_t i = 0; i < kWordsOf<T>; ++i) slot.words[i] = words[i];
  __threadfence_system();
  slot.sequence = sequence;
}

}  // namespace detail

// Sends *device_value (device memory) to the host as it is when `stream` gets here; `scalar` must outlive the launch,
// and the graph if the stream is being captured. One launch of one thread.
template <typename T>
cudaError_t publish(const GraphScalar<T>& scalar, const T* device_value, cudaStream_t stream) {
  return detail::launch(detail::publish_kernel<T>, 1, 1, stream, scalar.view(), device_value);
}

}  // namespace syncsniff
