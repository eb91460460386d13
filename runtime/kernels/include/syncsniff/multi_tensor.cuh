// Operations over many tensors of mixed sizes in ONE launch, in place of a loop that launches one kernel a tensor.
// Needs CUDA alone, C++17. Nothing waits, allocates, throws or exits: errors come back as cudaError_t.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "syncsniff/detail/launch.cuh"
#include "syncsniff/detail/map_ops.cuh"
#include "syncsniff/detail/reduce_ops.cuh"
#include "syncsniff/multi_tensor_plan.cuh"

// All of them: T is float, __half or __nv_bfloat16; arithmetic is fp32; one launch on `stream` (clip_by_total_norm:
// two), whose results are there when that stream reaches the point after it. The launches of one plan must be ordered
// among themselves (see Plan). May be captured into a graph. cudaErrorInvalidValue: a plan or list that was not built,
// or lists of different lengths.
namespace syncsniff::multi_tensor {

namespace internal {

template <typename Op, typename T>
cudaError_t reduce(const Plan<T>& plan, typename Op::Output* per_tensor, typename Op::Output* total,
                   cudaStream_t stream) {
  if (!plan.built()) return cudaErrorInvalidValue;
  return detail::launch(detail::chunk_reduce_kernel<Op, T>, plan.reduce_blocks(), detail::kReduceThreads, stream,
                        plan.table(), per_tensor, total);
}

template <typename Op, typename T, typename... More>
cudaError_t map(const Plan<T>& plan, const Op& op, cudaStream_t stream, const List<More>&... lists) {
  bool usable = plan.built();
  ((usable = usable && lists.built() && lists.tensor_count() == plan.tensor_count()), ...);
  if (!usable) return cudaErrorInvalidValue;
  return detail::launch(detail::chunk_map_kernel<Op, T, More...>, plan.map_blocks(Op::kMostBlocks), detail::kMapThreads,
                        stream, plan.map_table(), op, lists.device()...);
}

}  // namespace internal

// Reductions of every tensor of the plan, and over all of them.
//   per_tensor: device memory for plan.tensor_count() values, or null
//   total:      device memory for one value, or null
// The bits of the results depend on the sizes, the addresses modulo 16 when the plan was built and the chunk size, and
// on nothing else: the same from run to run and from one device to another. They move plan.total_bytes() from memory
// once.

// Sums. An empty tensor's is 0.
template <typename T>
cudaError_t sum(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  return internal::reduce<detail::SumOp>(plan, per_tensor, total, stream);
}

// Means; `total` is that of all elements. An empty tensor's is NaN.
template <typename T>
cudaError_t mean(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  return internal::reduce<detail::MeanOp>(plan, per_tensor, total, stream);
}

// Euclidean norms; `total` is that of all elements. Squares are taken in fp32: elements beyond 1e19 give infinity.
template <typename T>
cudaError_t l2_norm(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  return internal::reduce<detail::L2NormOp>(plan, per_tensor, total, stream);
}

// Largest magnitudes; NaN where there is one. An empty tensor's is 0.
template <typename T>
cudaError_t abs_max(const Plan<T>& plan, float* per_tensor, float* total, cudaStream_t stream) {
  return internal::reduce<detail::AbsMaxOp>(plan, per_tensor, total, stream);
}

// 1 where a tensor holds an infinity or a NaN, else 0; `total`: any of them.
template <typename T>
cudaError_t any_nonfinite(const Plan<T>& plan, int* per_tensor, int* total, cudaStream_t stream) {
  return internal::reduce<detail::AnyNonFiniteOp>(plan, per_tensor, total, stream);
}

// x = 0
template <typename T>
cudaError_t zero(const Plan<T>& x, cudaStream_t stream) {
  return internal::map(x, detail::ZeroOp{}, stream);
}

// x = factor * x
template <typename T>
cudaError_t scale(const Plan<T>& x, float factor, cudaStream_t stream) {
  return internal::map(x, detail::ScaleOp{factor, nullptr}, stream);
}

// A literal 0 is a float and a null pointer alike, and neither is the better match.
template <typename T, typename Integer, typename = std::enable_if_t<std::is_integral_v<Integer>>>
cudaError_t scale(const Plan<T>& x, Integer factor, cudaStream_t stream) {
  return scale(x, static_cast<float>(factor), stream);
}

// x = *factor * x, the factor read on the device: it may be the result of what was enqueued before.
template <typename T>
cudaError_t scale(const Plan<T>& x, const float* device_factor, cudaStream_t stream) {
  if (device_factor == nullptr) return cudaErrorInvalidValue;
  return internal::map(x, detail::ScaleOp{0.0f, device_factor}, stream);
}

// y = a * x + b * y
template <typename T, typename X>
cudaError_t axpby(float a, const List<X>& x, float b, const Plan<T>& y, cudaStream_t stream) {
  return internal::map(y, detail::AxpbyOp{a, b}, stream, x);
}

// Scales x so that its norm over all tensors is at most max_norm, as torch.nn.utils.clip_grad_norm_ does, without
// telling the host. norm_before: device memory for the norm before clipping, or null.
// Two launches; the second moves nothing where the norm is within bounds.
template <typename T>
cudaError_t clip_by_total_norm(const Plan<T>& x, float max_norm, float* norm_before, cudaStream_t stream) {
  float* norm = norm_before != nullptr ? norm_before : x.scratch();
  const cudaError_t error = l2_norm(x, static_cast<float*>(nullptr), norm, stream);
  if (error != cudaSuccess) return error;
  return internal::map(x, detail::ClipOp{norm, max_norm, 0.0f}, stream);
}

}  // namespace syncsniff::multi_tensor
