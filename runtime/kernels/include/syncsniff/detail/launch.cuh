// A kernel launch that says itself how it went. After <<<>>> one can only ask for the thread's last error, which may be
// somebody else's: a cudaEventQuery() that said "not ready" leaves one behind.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace syncsniff::detail {

template <typename... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, cudaStream_t stream,
                   const std::common_type_t<Parameters>&... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};  // copied before the call returns
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), pointers, 0, stream);
}

}  // namespace syncsniff::detail
