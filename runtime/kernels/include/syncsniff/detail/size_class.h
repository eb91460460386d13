// Sizes that a pool rounds up to: four steps between powers of two, so that a block is at most a quarter too large.
#pragma once

#include <cstddef>

namespace syncsniff::detail {

inline constexpr std::size_t kSmallestClassBytes = 4096;  // page-locking works in pages
inline constexpr std::size_t kClassesPerDoubling = 4;
inline constexpr std::size_t kSizeClasses = 1 + 44 * kClassesPerDoubling;  // up to 2^56 bytes

// Class 0 holds kSmallestClassBytes, class 4d + q holds 2^d * (4 + q) / 4 of it.
constexpr std::size_t bytes_of_class(std::size_t size_class) {
  return (kSmallestClassBytes / kClassesPerDoubling * (kClassesPerDoubling + size_class % kClassesPerDoubling))
         << size_class / kClassesPerDoubling;
}

// The smallest class that holds `bytes`; kSizeClasses if none does.
constexpr std::size_t class_of_bytes(std::size_t bytes) {
  std::size_t size_class = 0;
  while (size_class + kClassesPerDoubling < kSizeClasses && bytes_of_class(size_class + kClassesPerDoubling) <= bytes) {
    size_class += kClassesPerDoubling;
  }
  while (size_class < kSizeClasses && bytes_of_class(size_class) < bytes) ++size_class;
  return size_class;
}

}  // namespace syncsniff::detail
