// Finds the real function for a call of cuBLAS, and that library's functions for reading its own descriptors. One
// process may hold two copies of cuBLAS, whose handles are not interchangeable: a wrapper calls exactly the function
// that its caller would have reached without the shim.
#pragma once

#include <atomic>
#include <cstdint>

namespace syncsniff::shim {

using GetMathMode = int (*)(void* handle, int* mode);
using GetAttribute = int (*)(const void* descriptor, int attribute, void* value, uint64_t bytes, uint64_t* written);

// One function of one copy of the library.
struct GemmTarget {
  std::atomic<void*> real;
  GetMathMode get_math_mode;  // nullptr if the library has none; the other two are of cuBLASLt
  GetAttribute get_layout, get_matmul;
};

inline constexpr unsigned kMostGemmFunctions = 64;
inline constexpr unsigned kGemmSlots = 4;  // copies of the library that can be distinguished

extern GemmTarget g_gemm_targets[kMostGemmFunctions][kGemmSlots];

struct GemmRoute {
  void* real;                // nullptr: there is no such function
  const GemmTarget* target;  // nullptr: there are more copies than slots, so calls are not recorded
};

// For a call through the dynamic linker, by its return address. Takes no lock for known callers.
GemmRoute route_gemm(unsigned function, const char* name, const void* caller) noexcept;

// The slot for `real`, which is allocated if it is new; kGemmSlots: all are used.
unsigned gemm_slot(unsigned function, void* real) noexcept;

}  // namespace syncsniff::shim
