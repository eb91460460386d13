// The wrapped functions of cuBLAS and cuBLASLt: matrix products whose shapes are in their arguments.
#pragma once

namespace syncsniff::shim {

bool is_gemm(const char* name) noexcept;

// What dlsym hands out for a function of that name: a wrapper of `real`; `real` itself when the slots are used up.
void* wrap_gemm(const char* name, void* real) noexcept;

}  // namespace syncsniff::shim
