// Which library's function a call of cuBLAS goes on to, and what that library says of its own descriptors. One process
// may hold two copies of cuBLAS, whose handles do not fit each other: a wrapper calls exactly the function that its
// caller would have reached without us.
#pragma once

#include <atomic>
#include <cstdint>

namespace syncsniff::shim {

using GetMathMode = int (*)(void* handle, int* mode);
using GetAttribute = int (*)(const void* descriptor, int attribute, void* value, uint64_t bytes, uint64_t* written);

// One function of one copy of the library.
struct GemmTarget {
  std::atomic<void*> real;
  GetMathMode get_math_mode;  // nullptr where the library has none; the others are of cuBLASLt
  GetAttribute get_layout, get_matmul;
};

inline constexpr unsigned kMostGemmFunctions = 64;
inline constexpr unsigned kGemmSlots = 4;  // copies of the library that are told apart

extern GemmTarget g_gemm_targets[kMostGemmFunctions][kGemmSlots];

struct GemmRoute {
  void* real;                // nullptr: there is no such function
  const GemmTarget* target;  // nullptr: more copies than slots, its calls are not recorded
};

// Of a call that came through the dynamic linker, by where it came from. Known callers cost no lock.
GemmRoute route_gemm(unsigned function, const char* name, const void* caller) noexcept;

// The slot that stands for `real`, taken where it is new; kGemmSlots: all are taken.
unsigned gemm_slot(unsigned function, void* real) noexcept;

}  // namespace syncsniff::shim
