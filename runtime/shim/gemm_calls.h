// The wrapped functions of cuBLAS and cuBLASLt: matrix products whose shapes are in their arguments.
#pragma once

namespace syncsniff::shim {

bool is_gemm(const char* name) noexcept;

// What dlsym returns for a function of that name: a wrapper of `real`, or `real` itself if all slots are used.
void* wrap_gemm(const char* name, void* real) noexcept;

}  // namespace syncsniff::shim
