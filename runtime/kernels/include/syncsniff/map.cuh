// A fused elementwise map: any device functor over n inputs and m outputs, in one pass over memory, in place of a chain
// of kernels that each read and write it all. Needs CUDA alone, C++17.
// Nothing waits, allocates, throws or exits: errors come back as cudaError_t.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "syncsniff/detail/chunk_table.h"
#include "syncsniff/detail/launch.cuh"
#include "syncsniff/detail/map_kernel.cuh"

namespace syncsniff {

// `rows` rows of `columns` elements, one after the other. A plain count is one row.
struct Extent {
  std::uint64_t rows = 0, columns = 1;
  template <typename Count, typename = std::enable_if_t<std::is_integral_v<Count>>>
  Extent(Count count) : rows(1), columns(static_cast<std::uint64_t>(count)) {}  // NOLINT: a count is an extent
  template <typename Rows, typename Columns>
  Extent(Rows r, Columns c) : rows(static_cast<std::uint64_t>(r)), columns(static_cast<std::uint64_t>(c)) {
    static_assert(std::is_integral_v<Rows> && std::is_integral_v<Columns>, "numbers of rows and columns");
  }
  std::uint64_t count() const { return rows * columns; }
};

// Inputs that are smaller than the extent: one value a column (a bias), or one value for all of it.
template <typename T>
detail::RowOperand<T> row(const T* columns) {
  return {columns};
}
template <typename T>
detail::ScalarOperand<T> scalar(const T* value) {
  return {value};
}

// The arrays that a map writes, in the order in which its functor names them.
template <typename... Out>
using Outputs = detail::OutputPointers<std::make_index_sequence<sizeof...(Out)>, Out...>;
template <typename... Out>
Outputs<Out...> outputs(Out*... out) {
  return Outputs<Out...>(out...);
}

namespace internal {

template <typename T>
detail::ArrayOperand<T> operand(const T* data) {
  return {data};
}
template <typename T>
detail::ArrayOperand<T> operand(T* data) {
  return {data};
}
template <typename T>
detail::RowOperand<T> operand(detail::RowOperand<T> row) {
  return row;
}
template <typename T>
detail::ScalarOperand<T> operand(detail::ScalarOperand<T> scalar) {
  return scalar;
}

template <int kCount, std::size_t... kOut, typename... Out, typename... In>
detail::MapShape shape_of(const Extent& extent, const detail::OutputPointers<std::index_sequence<kOut...>, Out...>& out,
                          const In&... in) {
  detail::MapShape shape{};
  shape.count = extent.count();
  shape.columns.columns = extent.columns;
  shape.columns.small = shape.count < (std::uint64_t{1} << 31);
  if (shape.columns.small) shape.columns.modulus = detail::Modulus(static_cast<std::uint32_t>(extent.columns));
  using First = std::tuple_element_t<0, std::tuple<Out...>>;
  shape.head =
      detail::elements_to_boundary(static_cast<const detail::OutputPointer<0, First>&>(out).data, sizeof(First));
  if (shape.head > shape.count) shape.head = shape.count;
  shape.runs = (shape.count - shape.head) / kCount;
  unsigned bit = 1;
  const auto add = [&](bool whole) {
    if (whole) shape.whole |= bit;
    bit *= 2;
  };
  (add(detail::stands_on(static_cast<const detail::OutputPointer<kOut, Out>&>(out).data + shape.head,
                         detail::Run<Out, kCount>::kPiece)),
   ...);
  (add(in.template whole<kCount>(shape.head, shape.columns)), ...);
  return shape;
}

template <typename Fn, std::size_t... kOut, typename... Out, typename... In>
cudaError_t launch_map(Extent extent, const Fn& fn,
                       const detail::OutputPointers<std::index_sequence<kOut...>, Out...>& out, cudaStream_t stream,
                       In... in) {
  constexpr int kCount = detail::map_run_length<Out..., typename In::Value...>();
  constexpr unsigned kAll = (1u << (sizeof...(Out) + sizeof...(In))) - 1;
  const std::uint64_t count = extent.count();
  if (extent.columns != 0 && count / extent.columns != extent.rows) return cudaErrorInvalidValue;  // over 2^64
  if (count == 0) return cudaSuccess;
  const detail::MapShape shape = shape_of<kCount>(extent, out, in...);
  const std::uint64_t runs = shape.runs == 0 ? 1 : shape.runs;
  const std::uint64_t blocks = (runs + detail::kMapTileThreads - 1) / detail::kMapTileThreads;
  if (blocks > 0x7fffffffu) return cudaErrorInvalidValue;
  const auto grid = static_cast<unsigned>(blocks);
  using Outs = detail::OutputPointers<std::index_sequence<kOut...>, Out...>;
  const auto kernel = shape.whole == kAll ? detail::map_kernel<kCount, true, Fn, Outs, In...>
                                          : detail::map_kernel<kCount, false, Fn, Outs, In...>;
  return detail::launch(kernel, grid, detail::kMapTileThreads, stream, shape, fn, out, in...);
}

}  // namespace internal

// For every element of the extent: out = fn(in...) with one output, fn(in..., out&...) with several.
//   fn:  a __device__ functor or lambda, copied to the device. It sees each element as what its array holds, __half and
//        __nv_bfloat16 as float; what it gives is rounded to what the output's array holds.
//   out: outputs(y, ...): device arrays of extent.count() elements.
//   in:  for each input a device array of extent.count() elements, row(bias) or scalar(factor).
// An output may be the same array as an input; other overlaps may not be. Any alignment of whole elements will do; it
// is fastest where all arrays stand on 16-byte boundaries and rows have a multiple of 8 columns.
// One launch on `stream`; reads every array input once and writes every output once. May be captured into a graph.
// cudaErrorInvalidValue: an extent of over 2^64 elements, or of more blocks than a grid has.
template <typename Fn, typename Outs, typename... In>
cudaError_t map(Extent extent, const Fn& fn, const Outs& out, cudaStream_t stream, In... in) {
  return internal::launch_map(extent, fn, out, stream, internal::operand(in)...);
}

}  // namespace syncsniff
