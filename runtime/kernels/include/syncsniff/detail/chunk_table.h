// Cuts a list of arrays of mixed sizes into chunks of nearly equal size: the work list of every many-tensor kernel.
// Host code only, and plain C++17: no CUDA header, so that the table can be tested where no toolkit is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace syncsniff::detail {

// One tensor as the kernels read it from device memory.
struct TensorEntry {
  std::uint64_t elements;
  std::uint32_t first_chunk;
  std::uint32_t chunks;  // at least 1: an empty tensor has one empty chunk, which writes its identity
};
static_assert(sizeof(TensorEntry) == 16, "the device table is copied as bytes");

// `elements` elements of `tensor`, from element `offset` on. Chunks of one tensor are consecutive and in order. Holds
// all that a block needs to begin, so that no load waits for another: the list of tensors is read only to end one.
struct ChunkEntry {
  const void* data;  // of the chunk, not of its tensor
  std::uint64_t offset;
  std::uint32_t elements;
  std::uint32_t tensor;
  std::uint32_t first_chunk;  // of the tensor
  std::uint32_t chunks;       // of the tensor
};
static_assert(sizeof(ChunkEntry) == 32, "two 16-byte loads a chunk");

struct ChunkTable {
  std::vector<TensorEntry> tensors;
  std::vector<ChunkEntry> chunks;
  std::uint32_t chunk_bytes = 0;  // what a chunk was meant to be
};

enum class ChunkTableError { kNone, kNullData, kMisaligned, kTooMany };

inline constexpr std::size_t kVectorBytes = 16;
inline constexpr std::uint64_t kMostChunks = 1u << 25;  // an elementwise operation has up to 32 blocks for each
// More would be too many chunks of any size; up to here neither bytes (16 an element) nor chunks wrap around.
inline constexpr std::uint64_t kMostElements = UINT64_MAX / 16;

// About a thousand chunks are what fills a large GPU once; below 4 KiB a block has less to load than it costs to begin,
// and above 256 KiB the end gets ragged. The choice depends on the sizes alone, so that sums have the same bits on
// every device.
inline std::uint32_t default_chunk_bytes(std::uint64_t total_bytes) {
  std::uint32_t bytes = 4u << 10;
  while (bytes < (256u << 10) && std::uint64_t{bytes} * 1024 < total_bytes) bytes *= 2;
  return bytes;
}

// Elements from `address` to the next 16-byte boundary; 0 when it stands on one.
inline std::uint64_t elements_to_boundary(const void* address, std::size_t element_size) {
  const auto misalignment = reinterpret_cast<std::uintptr_t>(address) % kVectorBytes;
  return misalignment == 0 ? 0 : (kVectorBytes - misalignment) / element_size;
}

// data[i] points to elements[i] elements of element_size bytes (1, 2, 4, 8 or 16) and is a multiple of element_size;
// it may be null only where elements[i] is 0. chunk_bytes: a multiple of 16; 0 takes the default.
// Only a tensor's first chunk may start off a 16-byte boundary: it is the longer one, so that all the others start on
// one. A rest of less than half a chunk joins the chunk before it. On an error the table is left empty.
inline ChunkTableError build_chunk_table(const void* const* data, const std::uint64_t* elements, std::size_t count,
                                         std::size_t element_size, std::uint32_t chunk_bytes, ChunkTable& table) {
  table = {};
  if (count > kMostChunks) return ChunkTableError::kTooMany;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (elements[i] > kMostElements - total) return ChunkTableError::kTooMany;
    total += elements[i];
  }
  if (chunk_bytes == 0) chunk_bytes = default_chunk_bytes(total * element_size);
  const std::uint64_t per_chunk = chunk_bytes / element_size;
  if (total / per_chunk + count > kMostChunks) return ChunkTableError::kTooMany;

  ChunkTable built;
  built.chunk_bytes = chunk_bytes;
  built.tensors.reserve(count);
  built.chunks.reserve(static_cast<std::size_t>(total / per_chunk) + count);
  for (std::size_t i = 0; i < count; ++i) {
    if (elements[i] != 0 && data[i] == nullptr) return ChunkTableError::kNullData;
    if (reinterpret_cast<std::uintptr_t>(data[i]) % element_size != 0) return ChunkTableError::kMisaligned;
    const auto first_chunk = static_cast<std::uint32_t>(built.chunks.size());
    std::uint64_t offset = 0;
    std::uint64_t length = per_chunk + elements_to_boundary(data[i], element_size);
    do {
      const std::uint64_t left = elements[i] - offset;
      const std::uint64_t taken = left < length + per_chunk / 2 ? left : length;
      const char* begin = data[i] == nullptr ? nullptr : static_cast<const char*>(data[i]) + offset * element_size;
      built.chunks.push_back(
          {begin, offset, static_cast<std::uint32_t>(taken), static_cast<std::uint32_t>(i), first_chunk, 0});
      offset += taken;
      length = per_chunk;
    } while (offset < elements[i]);
    const auto chunks = static_cast<std::uint32_t>(built.chunks.size()) - first_chunk;
    for (std::uint32_t c = 0; c < chunks; ++c) built.chunks[first_chunk + c].chunks = chunks;
    built.tensors.push_back({elements[i], first_chunk, chunks});
  }
  table = static_cast<ChunkTable&&>(built);
  return ChunkTableError::kNone;
}

}  // namespace syncsniff::detail
