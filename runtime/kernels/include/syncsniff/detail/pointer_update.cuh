// New addresses for tensors that moved: they travel as kernel arguments, so the host keeps nothing alive and waits for
// nothing, and the launch can be captured.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "syncsniff/detail/chunk_table.h"

namespace syncsniff::detail {

inline constexpr int kMovedPerLaunch = 330;  // 4,000 of the 4,096 bytes that a kernel's arguments may take

struct MovedTensors {
  const void* data[kMovedPerLaunch];
  std::uint32_t tensor[kMovedPerLaunch];
  std::uint32_t count;
};
static_assert(sizeof(MovedTensors) <= 4000, "room for the other arguments");

// One block a moved tensor of elements T. `chunks` and `addresses`: either may be null.
template <typename T>
__global__ void move_tensors_kernel(MovedTensors moved, const TensorEntry* tensors, ChunkEntry* chunks,
                                    const void** addresses) {
  const std::uint32_t tensor = moved.tensor[blockIdx.x];
  const char* data = static_cast<const char*>(moved.data[blockIdx.x]);
  if (addresses != nullptr && threadIdx.x == 0) addresses[tensor] = data;
  if (chunks == nullptr) return;
  const TensorEntry entry = tensors[tensor];
  for (std::uint32_t i = threadIdx.x; i < entry.chunks; i += blockDim.x) {
    ChunkEntry& chunk = chunks[entry.first_chunk + i];
    chunk.data = data == nullptr ? nullptr : data + chunk.offset * sizeof(T);
  }
}

// Calls launch(MovedTensors) for the addresses that differ from `known`, which then holds the new ones.
template <typename Launch>
cudaError_t send_moved(const void* const* data, const void** known, std::size_t count, Launch launch) {
  MovedTensors moved;
  moved.count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (data[i] == known[i]) continue;
    moved.data[moved.count] = data[i];
    moved.tensor[moved.count++] = static_cast<std::uint32_t>(i);
    known[i] = data[i];
    if (moved.count < kMovedPerLaunch) continue;
    launch(moved);
    moved.count = 0;
  }
  if (moved.count != 0) launch(moved);
  return cudaPeekAtLastError();
}

}  // namespace syncsniff::detail
