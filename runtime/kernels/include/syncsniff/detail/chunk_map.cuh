// The one launch behind every many-tensor elementwise operation: the same chunks over one to four parallel lists.
// Knows the device table and an op; owns no memory and launches nothing.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "syncsniff/detail/chunk_table.h"
#include "syncsniff/detail/element.cuh"

namespace syncsniff::detail {

inline constexpr int kMapThreads = 256;

// A block takes about this much of a chunk (of its first list): blocks that run together write near one another, which
// device memory is faster at than at a long stretch each (by a fifth, measured with 900 MB).
inline constexpr std::uint32_t kMapPartBytes = 16u << 10;
inline constexpr std::uint32_t kMostParts = 32;

struct MapTable {
  const ChunkEntry* chunks;
  std::uint32_t chunk_count;
  std::uint32_t parts;  // blocks a chunk
};

// kCount consecutive elements of one list, widened, on their way through registers.
template <typename T, int kCount>
struct Slice {
  static constexpr int kPerPack = Pack<T>::kElements;
  static constexpr int kPacks = kCount / kPerPack;
  static_assert(kPacks >= 1, "at least one 16-byte load");
  float values[kCount];

  __device__ __forceinline__ void load(const T* from, bool on_boundary) {
    if (on_boundary) {
      Pack<T> packs[kPacks];
#pragma unroll
      for (int p = 0; p < kPacks; ++p) packs[p] = load_pack(from + p * kPerPack);
#pragma unroll
      for (int i = 0; i < kCount; ++i) values[i] = widen(packs[i / kPerPack].values[i % kPerPack]);
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) values[i] = widen(from[i]);
    }
  }
  __device__ __forceinline__ void store(T* to, bool on_boundary) const {
    if (on_boundary) {
#pragma unroll
      for (int p = 0; p < kPacks; ++p) {
        Pack<T> pack;
#pragma unroll
        for (int i = 0; i < kPerPack; ++i) pack.values[i] = narrow<T>(values[p * kPerPack + i]);
        store_pack(to + p * kPerPack, pack);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) to[i] = narrow<T>(values[i]);
    }
  }
};

template <typename Sequence, typename Op, typename... T>
class ChunkLanes;

// Lists by position: list 0 is the plan's. Op: kReads and kWrites (bit i: list i), and operator()(float&...) for one
// element of each list.
template <std::size_t... kIndex, typename Op, typename... T>
class ChunkLanes<std::index_sequence<kIndex...>, Op, T...> {
  static constexpr int kCount = 16 / smallest_element<T...>();
  static constexpr int kSlices = sizeof...(T) > 2 || kCount > 4 ? 2 : 4;

  // One list of a chunk: where it begins, whether it can be read 16 bytes at a time, what is in flight of it.
  template <std::size_t kAt, typename U>
  struct Lane {
    U* data;
    bool on_boundary;
    Slice<U, kCount> slices[kSlices];
  };
  struct Lanes : Lane<kIndex, T>... {};

 public:
  static constexpr std::uint32_t kStep = kMapThreads * kCount;  // elements that a block takes at once

  __device__ __forceinline__ explicit ChunkLanes(T*... data) {
    ((static_cast<Lane<kIndex, T>&>(lanes_).data = data), ...);
  }

  // Elements [0, count) of every list.
  __device__ __forceinline__ void run(const Op& op, std::uint32_t count) {
    const std::uint32_t thread = threadIdx.x;
    std::uint32_t head = elements_before_boundary(lane<0>());
    if (head > count) head = count;
    ((lane<kIndex>().on_boundary = reinterpret_cast<std::uintptr_t>(lane<kIndex>().data + head) % kVectorBytes == 0),
     ...);
    const std::uint32_t whole = (count - head) / kCount;
    std::uint32_t at = thread;
    for (; at + (kSlices - 1) * kMapThreads < whole; at += kSlices * kMapThreads) step<kSlices>(op, head, at);
    for (; at < whole; at += kMapThreads) step<1>(op, head, at);
    // Head and tail are shorter than a slice each: one element for each of the first threads.
    if (thread < head) single(op, thread);
    const std::uint32_t tail = head + whole * kCount + thread;
    if (tail < count) single(op, tail);
  }

 private:
  template <std::size_t kAt>
  __device__ __forceinline__ auto& lane() {
    return pick<kAt>(lanes_);
  }
  template <std::size_t kAt, typename U>
  static __device__ __forceinline__ Lane<kAt, U>& pick(Lane<kAt, U>& lane) {
    return lane;
  }
  template <typename U>
  static __device__ __forceinline__ std::uint32_t elements_before_boundary(const Lane<0, U>& lane) {
    const auto past = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(lane.data) % kVectorBytes);
    return past == 0 ? 0 : (static_cast<std::uint32_t>(kVectorBytes) - past) / static_cast<std::uint32_t>(sizeof(U));
  }

  // All loads, then the arithmetic, then all stores: the loads of kUsed slices are outstanding together.
  template <int kUsed>
  __device__ __forceinline__ void step(const Op& op, std::uint32_t head, std::uint32_t at) {
#pragma unroll
    for (int s = 0; s < kUsed; ++s) {
      const std::uint32_t from = head + (at + s * kMapThreads) * kCount;
      ((Op::kReads >> kIndex & 1 ? lane<kIndex>().slices[s].load(lane<kIndex>().data + from, lane<kIndex>().on_boundary)
                                 : void()),
       ...);
    }
#pragma unroll
    for (int s = 0; s < kUsed; ++s) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) op(lane<kIndex>().slices[s].values[i]...);
    }
#pragma unroll
    for (int s = 0; s < kUsed; ++s) {
      const std::uint32_t to = head + (at + s * kMapThreads) * kCount;
      ((Op::kWrites >> kIndex & 1 ? lane<kIndex>().slices[s].store(lane<kIndex>().data + to, lane<kIndex>().on_boundary)
                                  : void()),
       ...);
    }
  }

  __device__ __forceinline__ void single(const Op& op, std::uint32_t at) {
    ((lane<kIndex>().slices[0].values[0] = Op::kReads >> kIndex & 1 ? widen(lane<kIndex>().data[at]) : 0.0f), ...);
    op(lane<kIndex>().slices[0].values[0]...);
    ((Op::kWrites >> kIndex & 1 ? void(lane<kIndex>().data[at] = narrow<T>(lane<kIndex>().slices[0].values[0]))
                                : void()),
     ...);
  }

  Lanes lanes_;
};

// `parts` parts a chunk, taken in turn by however many blocks there are: one a part is fastest where there is work, and
// few end soonest where prepare() finds none. `lists`: for each list beside the plan's own, the device's table of
// addresses.
template <typename Op, typename T, typename... More>
__global__ void __launch_bounds__(kMapThreads) chunk_map_kernel(MapTable table, Op op, More* const*... lists) {
  using Lanes = ChunkLanes<std::make_index_sequence<1 + sizeof...(More)>, Op, T, More...>;
  if (!op.prepare()) return;
  const std::uint32_t parts = table.chunk_count * table.parts;
  for (std::uint32_t at = blockIdx.x; at < parts; at += gridDim.x) {
    const ChunkEntry chunk = table.chunks[at / table.parts];
    // Even shares, in whole steps of the block.
    const std::uint32_t even = (chunk.elements + table.parts - 1) / table.parts;
    const std::uint32_t share = (even + Lanes::kStep - 1) / Lanes::kStep * Lanes::kStep;
    const std::uint32_t begin = at % table.parts * share;
    if (begin >= chunk.elements) continue;
    Lanes lanes(static_cast<T*>(const_cast<void*>(chunk.data)) + begin,
                (lists[chunk.tensor] + chunk.offset + begin)...);
    lanes.run(op, min(share, chunk.elements - begin));
  }
}

}  // namespace syncsniff::detail
