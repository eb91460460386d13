// The one launch behind every many-tensor reduction: chunks -> tensors -> total, all in the same grid.
// Knows the device table and an op (reduce_ops.cuh); owns no memory and launches nothing.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "syncsniff/detail/block_reduce.cuh"
#include "syncsniff/detail/chunk_table.h"
#include "syncsniff/detail/element.cuh"

namespace syncsniff::detail {

inline constexpr int kReduceThreads = 256;
// Measured on an H200 against 4 to 8 blocks an SM and 4 to 16 packs: 40 registers hold 8 packs on their way.
inline constexpr int kReduceBlocksPerSm = 5;
inline constexpr int kPacksInFlight = 8;
inline constexpr int kStatesInFlight = 8;

// Device addresses; the plan (multi_tensor_plan.cuh) fills it. Tickets are zero between launches.
struct ReduceTable {
  const TensorEntry* tensors;
  const ChunkEntry* chunks;
  std::uint64_t* of_tensor;  // one state a tensor, below the number of the launch that made it: see publish()
  float* of_chunk;           // one state a chunk
  unsigned* tensor_tickets;  // chunks of this tensor that are done
  unsigned* launches;        // with a total, so far
  std::uint64_t elements;    // of all tensors
  std::uint32_t tensor_count;
  std::uint32_t chunk_count;
};

// Several sums a thread, so that additions do not wait for one another; combined in a fixed order.
template <typename Op>
struct Lanes {
  static constexpr int kCount = 4;
  float states[kCount];

  __device__ Lanes() {
#pragma unroll
    for (int i = 0; i < kCount; ++i) states[i] = Op::identity();
  }
  template <typename T>
  __device__ void add(const Pack<T>& pack) {
#pragma unroll
    for (int i = 0; i < Pack<T>::kElements; ++i) {
      states[i % kCount] = Op::accumulate(states[i % kCount], widen(pack.values[i]));
    }
  }
  __device__ float combined() const {
    return Op::combine(Op::combine(states[0], states[1]), Op::combine(states[2], states[3]));
  }
};

// Reduces this thread's part of the elements [0, count) of `data` to one value. The data need not begin on a 16-byte
// boundary.
template <typename Op, typename T>
__device__ __forceinline__ float accumulate_range(const T* data, std::uint32_t count) {
  constexpr std::uint32_t kPerPack = Pack<T>::kElements;
  constexpr std::uint32_t kStride = kPacksInFlight * kReduceThreads;
  const std::uint32_t thread = threadIdx.x;
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data) % sizeof(Pack<T>));
  std::uint32_t head = misalignment == 0 ? 0 : (sizeof(Pack<T>) - misalignment) / sizeof(T);
  if (head > count) head = count;
  const T* body = data + head;
  const std::uint32_t packs = (count - head) / kPerPack;
  const std::uint32_t tail = head + packs * kPerPack;

  Lanes<Op> lanes;
  // All loads first, then all additions: the compiler keeps kPacksInFlight loads outstanding.
  std::uint32_t at = thread;
  for (; at + (kPacksInFlight - 1) * kReduceThreads < packs; at += kStride) {
    Pack<T> loaded[kPacksInFlight];
#pragma unroll
    for (int i = 0; i < kPacksInFlight; ++i) loaded[i] = load_pack(body + (at + i * kReduceThreads) * kPerPack);
#pragma unroll
    for (int i = 0; i < kPacksInFlight; ++i) lanes.add(loaded[i]);
  }
  // The rest, which is all there is of a short tensor, in at most two rounds.
  constexpr int kHalf = kPacksInFlight / 2;
  for (; at < packs; at += kHalf * kReduceThreads) {
    Pack<T> loaded[kHalf];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      const std::uint32_t pack = at + i * kReduceThreads;
      if (pack < packs) loaded[i] = load_pack(body + pack * kPerPack);
    }
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      if (at + i * kReduceThreads < packs) lanes.add(loaded[i]);
    }
  }
  // Head and tail are shorter than a pack each: one element for each of the first threads.
  if (thread < head) lanes.states[0] = Op::accumulate(lanes.states[0], widen(data[thread]));
  if (tail + thread < count) lanes.states[0] = Op::accumulate(lanes.states[0], widen(data[tail + thread]));
  return lanes.combined();
}

// Past L1, which may hold what stood there before. (Clang lacks __ldcg for CUDA 13.)
__device__ __forceinline__ float load_fresh(const float* address) {
  float value;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(address) : "memory");
  return value;
}

// Reduces states[0, count), written by other blocks, in an order that does not depend on them. Thread 0 gets it.
template <typename Op>
__device__ float reduce_states(const float* states, std::uint32_t count) {
  float state = Op::identity();
  std::uint32_t i = threadIdx.x;
  for (; i + (kStatesInFlight - 1) * kReduceThreads < count; i += kStatesInFlight * kReduceThreads) {
    float loaded[kStatesInFlight];
#pragma unroll
    for (int k = 0; k < kStatesInFlight; ++k) loaded[k] = load_fresh(states + i + k * kReduceThreads);
#pragma unroll
    for (int k = 0; k < kStatesInFlight; ++k) state = Op::combine(state, loaded[k]);
  }
  for (; i < count; i += kReduceThreads) state = Op::combine(state, load_fresh(states + i));
  return block_reduce<Op, kReduceThreads>(state);
}

// True in all threads of the block that is the last of `expected` to come by; the ticket is then zero again for the
// next launch. What the other blocks wrote before they came is visible to it.
__device__ __forceinline__ bool is_last_arrival(unsigned* ticket, unsigned expected) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1u) == expected - 1;
    if (last) *ticket = 0;
    __threadfence();
  }
  __syncthreads();
  const bool result = last;
  __syncthreads();
  return result;
}

// A state and the number of its launch, in one word: so its writer needs no fence, no atomic and no answer, and its
// reader no more than to look again until the number is right. (With a ticket a block, 5,000 bf16 tensors of 17 KB took
// 41 us on an H200; so they take 36.)
__device__ __forceinline__ void publish(std::uint64_t* slot, float state, unsigned launch) {
  const std::uint64_t word = std::uint64_t{launch} << 32 | __float_as_uint(state);
  asm volatile("st.volatile.global.u64 [%0], %1;" ::"l"(slot), "l"(word) : "memory");
}
__device__ __forceinline__ std::uint64_t load_published(const std::uint64_t* slot) {
  std::uint64_t word;
  asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(word) : "l"(slot) : "memory");
  return word;
}

// Reduces the states that this launch's blocks publish, waiting for those still to come. One block of the grid may do
// that: the others wait for nothing, so there is always one that gets on. Thread 0 gets the result.
template <typename Op>
__device__ float reduce_published(const std::uint64_t* slots, std::uint32_t count, unsigned launch) {
  float state = Op::identity();
  for (std::uint32_t i = threadIdx.x; i < count; i += kStatesInFlight * kReduceThreads) {
    std::uint64_t words[kStatesInFlight];
#pragma unroll
    for (int k = 0; k < kStatesInFlight; ++k) {
      if (i + k * kReduceThreads < count) words[k] = load_published(slots + i + k * kReduceThreads);
    }
#pragma unroll
    for (int k = 0; k < kStatesInFlight; ++k) {
      if (i + k * kReduceThreads >= count) break;
      while (static_cast<unsigned>(words[k] >> 32) != launch) words[k] = load_published(slots + i + k * kReduceThreads);
      state = Op::combine(state, __uint_as_float(static_cast<unsigned>(words[k])));
    }
  }
  return block_reduce<Op, kReduceThreads>(state);
}

// `launch`: 0 when nobody asks for the total.
template <typename Op>
__device__ __forceinline__ void store_tensor(const ReduceTable& table, std::uint32_t tensor, float state,
                                             unsigned launch, typename Op::Output* per_tensor) {
  if (threadIdx.x != 0) return;
  if (launch != 0) publish(table.of_tensor + tensor, state, launch);
  if (per_tensor != nullptr) per_tensor[tensor] = Op::finish(state, table.tensors[tensor].elements);
}

// One block a chunk: the hardware hands them out as blocks end, which evens out what a fixed share would leave ragged.
// Level one: a chunk to one state; the block that finishes a tensor's last chunk reduces that tensor's states. Level
// two: the grid's last block reduces the tensors. Which block comes when varies from run to run; what is added, and in
// which order, does not.
template <typename Op, typename T>
__global__ void __launch_bounds__(kReduceThreads, kReduceBlocksPerSm)
    chunk_reduce_kernel(ReduceTable table, typename Op::Output* per_tensor, typename Op::Output* total) {
  unsigned launch = total != nullptr ? *table.launches + 1 : 0;
  if (total != nullptr && launch == 0) launch = 1;  // after 2^32 launches: 0 is no number
  if (blockIdx.x < table.chunk_count) {             // a plan of no tensors has one block, for the total
    const ChunkEntry chunk = table.chunks[blockIdx.x];
    const float state =
        block_reduce<Op, kReduceThreads>(accumulate_range<Op, T>(static_cast<const T*>(chunk.data), chunk.elements));
    if (chunk.chunks == 1) {
      store_tensor<Op>(table, chunk.tensor, state, launch, per_tensor);
    } else {
      if (threadIdx.x == 0) table.of_chunk[blockIdx.x] = state;
      if (is_last_arrival(table.tensor_tickets + chunk.tensor, chunk.chunks)) {
        const float whole = reduce_states<Op>(table.of_chunk + chunk.first_chunk, chunk.chunks);
        store_tensor<Op>(table, chunk.tensor, whole, launch, per_tensor);
      }
    }
  }
  if (total == nullptr || blockIdx.x != gridDim.x - 1) return;
  const float whole = reduce_published<Op>(table.of_tensor, table.tensor_count, launch);
  if (threadIdx.x != 0) return;
  *total = Op::finish(whole, table.elements);
  *table.launches = launch;  // every block that publishes has read it by now
}

}  // namespace syncsniff::detail
