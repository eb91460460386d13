// Owned blocks of pinned host memory and of device memory. Both frees wait for the device: not for the loop.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <limits>

#include "syncsniff/detail/cuda_error.h"

namespace syncsniff::detail {

// a * b for an allocation by `api`; CudaError (cudaErrorInvalidValue) where it is no size_t, which cut short would be a
// small block that is written past its end.
inline std::size_t checked_product(std::size_t a, std::size_t b, const char* api) {
  if (b != 0 && a > std::numeric_limits<std::size_t>::max() / b) throw CudaError(api, cudaErrorInvalidValue);
  return a * b;
}

// `count` objects of a trivially copyable T in page-locked memory that the device may read and write, not initialised.
template <typename T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t count, unsigned flags = cudaHostAllocPortable) {
    void* data = nullptr;
    throw_on_error(cudaHostAlloc(&data, checked_product(count, sizeof(T), "cudaHostAlloc"), flags), "cudaHostAlloc");
    data_ = static_cast<T*>(data);
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { static_cast<void>(cudaFreeHost(data_)); }
  T* data() const noexcept { return data_; }
  T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  T* data_ = nullptr;
};

// `bytes` of device memory on the current device, not initialised, aligned to 256 bytes.
class DeviceBlock {
 public:
  explicit DeviceBlock(std::size_t bytes) { throw_on_error(cudaMalloc(&data_, bytes), "cudaMalloc"); }
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;
  ~DeviceBlock() { static_cast<void>(cudaFree(data_)); }
  void* data() const noexcept { return data_; }

  // Zeros it and waits until that is done, whatever stream comes next. For constructors.
  void clear(std::size_t bytes) {
    throw_on_error(cudaMemset(data_, 0, bytes), "cudaMemset");
    throw_on_error(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }

 private:
  void* data_ = nullptr;
};

}  // namespace syncsniff::detail
