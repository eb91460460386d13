// What the kernels' adaptors use of PyTorch, declared as its headers declare it: so that they are compiled on machines
// that have no PyTorch. Nothing here computes.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "c10/util/Exception.h"

namespace c10 {

enum class ScalarType : std::int8_t { Int, Float, Half, BFloat16, Undefined };
using DeviceIndex = std::int8_t;
struct Device {
  DeviceIndex index() const noexcept;
  std::string str() const;
};
const char* toString(ScalarType type);

template <typename T>
class ArrayRef {
 public:
  ArrayRef(const std::vector<T>& values) : data_(values.data()), size_(values.size()) {}
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  bool equals(ArrayRef other) const;

 private:
  const T* data_;
  std::size_t size_;
};
template <typename T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
using IntArrayRef = ArrayRef<std::int64_t>;

template <typename T>
struct CppTypeToScalarType;
template <>
struct CppTypeToScalarType<float> {
  static constexpr ScalarType value = ScalarType::Float;
};
template <>
struct CppTypeToScalarType<int> {
  static constexpr ScalarType value = ScalarType::Int;
};

struct TensorOptions {
  TensorOptions device(Device device) const;
  TensorOptions dtype(ScalarType type) const;
};

}  // namespace c10

namespace at {

using c10::IntArrayRef;
using c10::ScalarType;
using c10::TensorOptions;
inline constexpr ScalarType kFloat = ScalarType::Float, kHalf = ScalarType::Half, kBFloat16 = ScalarType::BFloat16;

class Tensor {
 public:
  bool defined() const;
  bool is_cuda() const;
  bool is_contiguous() const;
  bool is_non_overlapping_and_dense() const;
  c10::Device device() const;
  ScalarType scalar_type() const;
  std::int64_t numel() const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  const void* const_data_ptr() const;
  void* mutable_data_ptr() const;
  template <typename T>
  T* mutable_data_ptr() const {
    return static_cast<T*>(mutable_data_ptr());
  }
  Tensor narrow(std::int64_t dimension, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dimension, std::int64_t index) const;
};
using TensorList = c10::ArrayRef<Tensor>;

Tensor empty(std::vector<std::int64_t> sizes, TensorOptions options);

}  // namespace at
