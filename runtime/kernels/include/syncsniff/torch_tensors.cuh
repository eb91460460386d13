// Plans and lists of LibTorch tensors. Needs LibTorch besides CUDA; what is wrong with the tensors is told by
// TORCH_CHECK (c10::Error), CUDA's own errors come back as everywhere in multi_tensor.cuh.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <string>
#include <vector>

#include "syncsniff/multi_tensor_plan.cuh"

namespace syncsniff::multi_tensor {

namespace internal {

template <typename T>
inline constexpr at::ScalarType kScalarType = at::ScalarType::Undefined;
template <>
inline constexpr at::ScalarType kScalarType<float> = at::ScalarType::Float;
template <>
inline constexpr at::ScalarType kScalarType<__half> = at::ScalarType::Half;
template <>
inline constexpr at::ScalarType kScalarType<__nv_bfloat16> = at::ScalarType::BFloat16;

// Numbers go into messages as strings: an extension that was linked with a C++ library of its own may have no locale to
// print them by.
inline std::string name(std::size_t tensor) { return "tensor " + std::to_string(tensor); }

// A tensor's elements are taken in the order of memory: it must fill its memory without holes.
template <typename T>
std::vector<const T*> addresses_of(at::TensorList tensors) {
  const at::ScalarType wanted = kScalarType<T>;
  int current = 0;
  TORCH_CHECK(cudaGetDevice(&current) == cudaSuccess, "no current CUDA device");
  std::vector<const T*> addresses;
  addresses.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const at::Tensor& tensor = tensors[i];
    TORCH_CHECK(tensor.defined() && tensor.is_cuda(), name(i), " is not on a GPU");
    TORCH_CHECK(tensor.device().index() == current, name(i), " is on ", tensor.device().str(),
                ", the current device is cuda:", std::to_string(current));
    TORCH_CHECK(tensor.scalar_type() == wanted, name(i), " is of ", c10::toString(tensor.scalar_type()),
                " elements, not of ", c10::toString(wanted));
    TORCH_CHECK(tensor.is_non_overlapping_and_dense(), name(i), " has holes in its memory: make it contiguous()");
    addresses.push_back(static_cast<const T*>(tensor.const_data_ptr()));
  }
  return addresses;
}

template <typename T>
void check_sizes(const Plan<T>& plan, at::TensorList tensors) {
  TORCH_CHECK(tensors.size() == plan.tensor_count(), std::to_string(tensors.size()), " tensors for a plan of ",
              std::to_string(plan.tensor_count()));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TORCH_CHECK(static_cast<std::uint64_t>(tensors[i].numel()) == plan.elements(i), name(i), " has ",
                std::to_string(tensors[i].numel()), " elements, the plan's has ", std::to_string(plan.elements(i)));
  }
}

}  // namespace internal

// Do the elements of both stand in memory in the same order?
inline bool same_layout(const at::Tensor& a, const at::Tensor& b) {
  if (a.is_contiguous() && b.is_contiguous()) return true;
  return a.sizes() == b.sizes() && a.strides() == b.strides();
}

// Plan::build() for tensors on the current device. The plan holds addresses only: keep the tensors.
template <typename T>
cudaError_t build(Plan<T>& plan, at::TensorList tensors, cudaStream_t stream) {
  const std::vector<const T*> addresses = internal::addresses_of<T>(tensors);
  std::vector<std::uint64_t> elements;
  for (const at::Tensor& tensor : tensors) elements.push_back(static_cast<std::uint64_t>(tensor.numel()));
  return plan.build(addresses.data(), elements.data(), tensors.size(), stream);
}

// Plan::update(): tensors of the same sizes, which may lie elsewhere. Waits for nothing.
template <typename T>
cudaError_t update(Plan<T>& plan, at::TensorList tensors, cudaStream_t stream) {
  internal::check_sizes(plan, tensors);
  return plan.update(internal::addresses_of<T>(tensors).data(), stream);
}

// A list beside `plan` (gradients, momenta): built at its first use (and for a plan of another number of tensors),
// brought up to date at each later one, which waits for nothing. The elements of each tensor must be laid out as those
// of the plan's.
template <typename T, typename P>
cudaError_t follow(List<T>& list, const Plan<P>& plan, at::TensorList tensors, cudaStream_t stream) {
  internal::check_sizes(plan, tensors);
  const std::vector<const T*> addresses = internal::addresses_of<T>(tensors);
  const bool fits = list.built() && list.tensor_count() == tensors.size();
  return fits ? list.update(addresses.data(), stream) : list.build(addresses.data(), tensors.size(), stream);
}

}  // namespace syncsniff::multi_tensor
