// The kernel of map.cuh: one run of elements a thread. (More runs a thread were slower, measured on an H200: enough
// loads are outstanding with all threads resident, and heavy functors want their registers.)
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

#include "syncsniff/detail/map_operand.cuh"

namespace syncsniff::detail {

inline constexpr int kMapTileThreads = 256;

// A power of two, also for elements of 3 or 12 bytes: runs of the others are then whole pieces.
template <typename... T>
constexpr int map_run_length() {
  int length = 8;
  while (length > 1 && length * smallest_element<T...>() > 16) length /= 2;
  return length;
}

// What the host finds out about the arrays before the launch.
struct MapShape {
  std::uint64_t count, head, runs;  // elements; those before the first output's next 16-byte boundary; runs after them
  unsigned whole;
  Columns columns;
};

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

template <typename Fn, int kCount, bool kWhole, typename InSequence, typename Outs, typename... In>
struct MapTile;

template <typename Fn, int kCount, bool kWhole, std::size_t... kIn, std::size_t... kOut, typename... Out,
          typename... In>
struct MapTile<Fn, kCount, kWhole, std::index_sequence<kIn...>, OutputPointers<std::index_sequence<kOut...>, Out...>,
               In...> {
  template <std::size_t kAt, typename Operand>
  struct Input {
    Operand operand;
    Run<typename Operand::Value, kCount> run;
  };
  template <std::size_t kAt, typename T>
  struct Output {
    T* data;
    Run<T, kCount> run;
  };
  template <std::size_t kAt, typename T>
  struct Result {
    T value{};
  };
  struct Results : Result<kOut, typename Seen<Out>::Type>... {};
  struct Inputs : Input<kIn, In>... {};
  struct Outputs : Output<kOut, Out>... {};
  Inputs inputs;
  Outputs outputs;
  Fn fn;
  Columns columns;
  unsigned whole;  // bit i: the i-th array, outputs first, moves in wide pieces

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

  __device__ __forceinline__ MapTile(const Fn& f, const MapShape& shape,
                                     const OutputPointers<std::index_sequence<kOut...>, Out...>& o, const In&... i)
      : fn(f), columns(shape.columns), whole(shape.whole) {
    ((out<kOut>().data = static_cast<const OutputPointer<kOut, Out>&>(o).data), ...);
    ((in<kIn>().operand = i), ...);
  }

  __device__ __forceinline__ void apply(const typename In::Value&... in, Out&... out) {
    if constexpr (sizeof...(Out) == 1) {
      ((out = Seen<Out>::back(fn(Seen<typename In::Value>::of(in)...))), ...);
    } else {
      Results results;
      fn(Seen<typename In::Value>::of(in)..., static_cast<Result<kOut, typename Seen<Out>::Type>&>(results).value...);
      ((out = Seen<Out>::back(static_cast<Result<kOut, typename Seen<Out>::Type>&>(results).value)), ...);
    }
  }

  template <std::size_t kArray>
  __device__ __forceinline__ bool is_whole() const {
    return kWhole || (whole >> kArray & 1) != 0;
  }

  __device__ __forceinline__ void run(std::uint64_t at) {
    // Before all loads: what branches between two of them keeps the second waiting for the first.
    std::uint64_t column = 0;
    if constexpr ((In::kByColumn || ...)) column = columns.of(at);
    ((in<kIn>().operand.template load<kCount>(in<kIn>().run, at, column, is_whole<sizeof...(Out) + kIn>(), columns)),
     ...);
    if constexpr (sizeof...(Out) == 1 && (kRoundsPairs<Out> && ...) && kCount % 2 == 0) {
#pragma unroll
      for (int i = 0; i < kCount; i += 2) {
        const float low = fn(seen(in<kIn>().run, i)...);
        const float high = fn(seen(in<kIn>().run, i + 1)...);
        ((out<kOut>().run.pairs[i / 2] = Seen<Out>::pair(low, high)), ...);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kCount; ++i) apply(in<kIn>().run.values[i]..., out<kOut>().run.values[i]...);
    }
    (store(out<kOut>(), at, is_whole<kOut>()), ...);
  }
  template <typename O>
  static __device__ __forceinline__ void store(O& output, std::uint64_t at, bool in_wide_pieces) {
    if (in_wide_pieces) return output.run.store_whole(output.data + at);
#pragma unroll
    for (int i = 0; i < kCount; ++i) output.data[at + i] = output.run.values[i];
  }
  __device__ __forceinline__ void single(std::uint64_t at) {
    apply(in<kIn>().operand.single(at, columns)..., out<kOut>().data[at]...);
  }
};

// kWhole: all arrays move in wide pieces, so that nothing of how is decided in the kernel.
template <int kCount, bool kWhole, typename Fn, typename Outs, typename... In>
__global__ void __launch_bounds__(kMapTileThreads) map_kernel(MapShape shape, Fn fn, Outs out, In... in) {
  MapTile<Fn, kCount, kWhole, std::make_index_sequence<sizeof...(In)>, Outs, In...> tile(fn, shape, out, in...);
  const std::uint64_t run = static_cast<std::uint64_t>(blockIdx.x) * kMapTileThreads + threadIdx.x;
  if (run < shape.runs) tile.run(shape.head + run * kCount);
  // Head and tail are shorter than a run each: one element for each of the first block's first threads.
  if (blockIdx.x != 0) return;
  if (threadIdx.x < shape.head) tile.single(threadIdx.x);
  const std::uint64_t tail = shape.head + shape.runs * kCount + threadIdx.x;
  if (tail < shape.count) tile.single(tail);
}

}  // namespace syncsniff::detail
