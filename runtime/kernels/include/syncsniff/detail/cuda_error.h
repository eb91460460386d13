// CudaError and the one rule of these headers: constructors and allocations throw it, calls of the hot path return
// cudaError_t, and destructors do neither.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace syncsniff {

// A CUDA call of set-up failed. what() is "cudaHostAlloc: cudaErrorMemoryAllocation: out of memory".
class CudaError : public std::runtime_error {
 public:
  CudaError(const char* api, cudaError_t code)
      : std::runtime_error(std::string(api) + ": " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code)),
        api_(api),
        code_(code) {}
  const char* api() const noexcept { return api_; }
  cudaError_t code() const noexcept { return code_; }

 private:
  const char* api_;  // a string literal
  cudaError_t code_;
};

namespace detail {

// `api` must be a string literal. The error is told by the exception, so it is taken out of cudaGetLastError().
inline void throw_on_error(cudaError_t code, const char* api) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw CudaError(api, code);
}

}  // namespace detail
}  // namespace syncsniff
