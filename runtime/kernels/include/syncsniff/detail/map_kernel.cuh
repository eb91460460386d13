// The kernel of map.cuh: one block a tile, all loads of a tile before the arithmetic, all stores after it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "syncsniff/detail/map_operand.cuh"

namespace syncsniff::detail {

inline constexpr int kMapTileThreads = 256;

template <typename... T>
constexpr int map_run_length() {
  std::size_t smallest = 16;
  ((smallest = sizeof(T) < smallest ? sizeof(T) : smallest), ...);
  const int length = static_cast<int>(16 / smallest);
  return length > 8 ? 8 : length;
}

template <std::size_t kAt, typename T>
struct OutputPointer {
  T* data;
};
template <typename Sequence, typename... Out>
struct OutputPointers;
template <std::size_t... kOut, typename... Out>
struct OutputPointers<std::index_sequence<kOut...>, Out...> : OutputPointer<kOut, Out>... {
  explicit OutputPointers(Out*... data) : OutputPointer<kOut, Out>{data}... {}
};

template <typename Fn, int kCount, int kRuns, typename InSequence, typename Outs, typename... In>
struct MapTile;

template <typename Fn, int kCount, int kRuns, std::size_t... kIn, std::size_t... kOut, typename... Out, typename... In>
struct MapTile<Fn, kCount, kRuns, std::index_sequence<kIn...>, OutputPointers<std::index_sequence<kOut...>, Out...>,
               In...> {
  template <std::size_t kAt, typename Operand>
  struct Input {
    Operand operand;
    bool whole;
    Run<typename Operand::Value, kCount> runs[kRuns];
  };
  template <std::size_t kAt, typename T>
  struct Output {
    T* data;
    bool whole;
    Run<T, kCount> runs[kRuns];
  };
  struct Inputs : Input<kIn, In>... {};
  struct Outputs : Output<kOut, Out>... {};
  Inputs inputs;
  Outputs outputs;
  Fn fn;
  Columns columns;

  template <std::size_t kAt, typename T>
  static __device__ __forceinline__ Output<kAt, T>& out_of(Output<kAt, T>& o) {
    return o;
  }
  template <std::size_t kAt, typename T>
  static __device__ __forceinline__ Input<kAt, T>& in_of(Input<kAt, T>& i) {
    return i;
  }
  template <std::size_t kAt>
  __device__ __forceinline__ auto& out() {
    return out_of<kAt>(outputs);
  }
  template <std::size_t kAt>
  __device__ __forceinline__ auto& in() {
    return in_of<kAt>(inputs);
  }

  __device__ __forceinline__ MapTile(const Fn& f, const Columns& c,
                                     const OutputPointers<std::index_sequence<kOut...>, Out...>& o, const In&... i)
      : fn(f), columns(c) {
    ((out<kOut>().data = static_cast<const OutputPointer<kOut, Out>&>(o).data), ...);
    ((in<kIn>().operand = i), ...);
  }

  // Elements before the first output's next 16-byte boundary; from there on `whole` says who moves in wide pieces.
  __device__ __forceinline__ std::uint64_t find_head(std::uint64_t count) {
    constexpr unsigned kElement = sizeof(*std::declval<MapTile&>().template out<0>().data);
    const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(out<0>().data) % 16);
    std::uint64_t head = past == 0 ? 0 : (16 - past) / kElement;
    if (head > count) head = count;
    ((out<kOut>().whole = stands_on(out<kOut>().data + head, Run<Out, kCount>::kPiece)), ...);
    ((in<kIn>().whole = in<kIn>().operand.template whole<kCount>(head, columns)), ...);
    return head;
  }

  __device__ __forceinline__ void apply(typename In::Value... in, Out&... out) {
    if constexpr (sizeof...(Out) == 1)
      ((out = static_cast<Out>(fn(in...))), ...);
    else
      fn(in..., out...);
  }

  template <int kUsed>
  __device__ __forceinline__ void step(std::uint64_t at, std::uint64_t stride) {
#pragma unroll
    for (int r = 0; r < kUsed; ++r)
      ((in<kIn>().operand.template load<kCount>(in<kIn>().runs[r], at + r * stride, in<kIn>().whole, columns)), ...);
#pragma unroll
    for (int r = 0; r < kUsed; ++r) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) apply(in<kIn>().runs[r].values[i]..., out<kOut>().runs[r].values[i]...);
    }
#pragma unroll
    for (int r = 0; r < kUsed; ++r) (store(out<kOut>(), r, at + r * stride), ...);
  }
  template <typename O>
  static __device__ __forceinline__ void store(O& output, int r, std::uint64_t at) {
    if (output.whole) return output.runs[r].store_whole(output.data + at);
#pragma unroll
    for (int i = 0; i < kCount; ++i) output.data[at + i] = output.runs[r].values[i];
  }
  __device__ __forceinline__ void single(std::uint64_t at) {
    apply(in<kIn>().operand.single(at, columns)..., out<kOut>().data[at]...);
  }
};

template <int kCount, int kRuns, typename Fn, typename Outs, typename... In>
__global__ void __launch_bounds__(kMapTileThreads)
    map_kernel(std::uint64_t count, Fn fn, Columns columns, Outs out, In... in) {
  MapTile<Fn, kCount, kRuns, std::make_index_sequence<sizeof...(In)>, Outs, In...> tile(fn, columns, out, in...);
  const std::uint64_t head = tile.find_head(count);
  const std::uint64_t runs = (count - head) / kCount;
  constexpr std::uint64_t kStride = kMapTileThreads;
  std::uint64_t run = static_cast<std::uint64_t>(blockIdx.x) * kRuns * kMapTileThreads + threadIdx.x;
  if (run + (kRuns - 1) * kStride < runs) {
    tile.template step<kRuns>(head + run * kCount, kStride * kCount);
  } else {
    for (int r = 0; r < kRuns && run < runs; ++r, run += kStride) tile.template step<1>(head + run * kCount, 0);
  }
  // Head and tail are shorter than a run each: one element for each of the first block's first threads.
  if (blockIdx.x != 0) return;
  if (threadIdx.x < head) tile.single(threadIdx.x);
  const std::uint64_t tail = head + runs * kCount + threadIdx.x;
  if (tail < count) tile.single(tail);
}

}  // namespace syncsniff::detail
