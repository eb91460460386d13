// What is recorded of a matrix product: only while every call is listed, so that its launches can be told.
#pragma once

#include <cstdint>

#include "runtime/shim/gemm_library.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

// cudaDataType_t and cublasComputeType_t, as far as they matter here.
enum DataType : int { kReal32 = 0, kReal64 = 1, kReal16 = 2, kComplex32 = 4, kComplex64 = 5, kNoType = -1 };
inline constexpr int kComputeUnknown = -1;

// The product that a call asks for; cuBLASLt keeps it in descriptors.
struct GemmShape {
  uint64_t m = 0, n = 0, k = 0, batch = 1;
  int in_type = -1, out_type = -1;
  int compute = kComputeUnknown;
};

// begin_gemm: false where it lies within another recorded call, or nothing is recorded. end_gemm must follow a true
// one; `shape` nullptr: the call failed.
bool begin_gemm(uint64_t& begin_ns) noexcept;
void end_gemm(uint64_t begin_ns, const GemmShape* shape, bool tf32_allowed) noexcept;

bool allows_tf32(const GemmTarget& target, void* handle) noexcept;
// From the descriptors of cublasLtMatmul; false where the library does not tell.
bool read_matmul(const GemmTarget& target, const void* operation, const void* a, const void* b, const void* d,
                 GemmShape& shape) noexcept;

}  // namespace syncsniff::shim
