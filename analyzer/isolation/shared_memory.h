// Numbers in memory that a process and the children that it forks share.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace syncsniff::isolation {

// mmap refuses an empty mapping, so it has at least one element.
template <class T>
size_t shared_bytes(size_t count) {
  return std::max<size_t>(1, count) * sizeof(T);
}

// `count` of them, each as T{}. Errors: std::bad_alloc.
template <class T>
T* share(size_t count) {
  void* const memory = mmap(nullptr, shared_bytes<T>(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const shared = static_cast<T*>(memory);
  std::uninitialized_value_construct_n(shared, count);
  return shared;
}

// Only in this process; the others keep their mapping.
template <class T>
void unshare(T* shared, size_t count) {
  munmap(shared, shared_bytes<T>(count));
}

}  // namespace syncsniff::isolation
