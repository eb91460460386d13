// std::vector and its kin in page-locked memory, which the device copies from and to without the host's help.
// Host code, C++17, CUDA alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "syncsniff/detail/cuda_error.h"

namespace syncsniff {

// Page-locked memory could not be had: a std::bad_alloc that still knows what CUDA said.
class PinnedBadAlloc : public std::bad_alloc {
 public:
  PinnedBadAlloc(const char* api, cudaError_t code) : error_(api, code) {}
  const char* what() const noexcept override { return error_.what(); }
  const CudaError& cuda_error() const noexcept { return error_; }

 private:
  CudaError error_;
};

// Each allocation is one cudaHostAlloc (portable: pinned for every device), each deallocation one cudaFreeHost, which
// waits for the device; both take up to milliseconds. Make the container before the loop, reserve() what it will hold,
// and let it outlive the copies from it. Memory is aligned to a page. In the loop: PinnedPool.
template <typename T>
class PinnedAllocator {
 public:
  using value_type = T;
  using is_always_equal = std::true_type;

  PinnedAllocator() = default;
  template <typename U>
  PinnedAllocator(const PinnedAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor): the standard's form

  // Throws PinnedBadAlloc, or std::bad_array_new_length if n * sizeof(T) is no size_t.
  T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    if (n == 0) return nullptr;
    void* data = nullptr;
    const cudaError_t code = cudaHostAlloc(&data, n * sizeof(T), cudaHostAllocPortable);
    if (code != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // told by the exception
      throw PinnedBadAlloc("cudaHostAlloc", code);
    }
    return static_cast<T*>(data);
  }
  void deallocate(T* data, std::size_t) noexcept {
    if (data != nullptr) static_cast<void>(cudaFreeHost(data));
  }
};

template <typename T, typename U>
bool operator==(const PinnedAllocator<T>&, const PinnedAllocator<U>&) noexcept {
  return true;
}
template <typename T, typename U>
bool operator!=(const PinnedAllocator<T>&, const PinnedAllocator<U>&) noexcept {
  return false;
}

template <typename T>
using pinned_vector = std::vector<T, PinnedAllocator<T>>;

}  // namespace syncsniff
