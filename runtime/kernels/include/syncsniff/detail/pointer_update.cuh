// New addresses for tensors that moved: they travel as kernel arguments, so the host keeps nothing alive and waits for
// nothing, and the launch can be captured.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "syncsniff/detail/chunk_table.h"
#include "syncsniff/detail/sent_addresses.h"

namespace syncsniff::detail {

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

}  // namespace syncsniff::detail
