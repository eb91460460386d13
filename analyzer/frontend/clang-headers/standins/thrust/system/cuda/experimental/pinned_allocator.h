// Thrust's allocator of pinned memory for host containers, which CUDA 12 ships and CUDA 13 no longer does.
#pragma once

#if __has_include(<thrust/detail/config.h>)
#include <thrust/detail/config.h>
#include <thrust/host_vector.h>

#include <memory>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace experimental {
template <typename T>
class pinned_allocator : public std::allocator<T> {
 public:
  template <typename U>
  struct rebind {
    typedef pinned_allocator<U> other;
  };
  pinned_allocator() = default;
  template <typename U>
  pinned_allocator(const pinned_allocator<U>&) {}
};
}  // namespace experimental
}  // namespace cuda
}  // namespace system
namespace cuda {
namespace experimental {
using system::cuda::experimental::pinned_allocator;
}  // namespace experimental
}  // namespace cuda
THRUST_NAMESPACE_END
#endif
