// Records matrix products, only while every call is listed, so that their launches are known.
#pragma once

#include <cstdint>

#include "runtime/shim/gemm_library.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

// The values of cudaDataType_t and cublasComputeType_t that are needed here.
enum DataType : int { kReal32 = 0, kReal64 = 1, kReal16 = 2, kComplex32 = 4, kComplex64 = 5, kNoType = -1 };
inline constexpr int kComputeUnknown = -1;

// The product that a call computes; cuBLASLt keeps it in descriptors.
struct GemmShape {
  uint64_t m = 0, n = 0, k = 0, batch = 1;
  int in_type = -1, out_type = -1;
  int compute = kComputeUnknown;
};

// begin_gemm returns false if the call is within another recorded call, or nothing is recorded. If it returns true,
// end_gemm must follow; `shape` is nullptr if the call failed.
bool begin_gemm(uint64_t& begin_ns) noexcept;
void end_gemm(uint64_t begin_ns, const GemmShape* shape, bool tf32_allowed) noexcept;

bool allows_tf32(const GemmTarget& target, void* handle) noexcept;
// Reads the descriptors of cublasLtMatmul; false if the library does not give the values.
bool read_matmul(const GemmTarget& target, const void* operation, const void* a, const void* b, const void* d,
                 GemmShape& shape) noexcept;

}  // namespace syncsniff::shim
