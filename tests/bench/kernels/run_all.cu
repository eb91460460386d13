#include <cstdio>
#include <initializer_list>

#include "benches.h"

namespace bench {

int run_all() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 77;
  }
  cudaStream_t stream = nullptr;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return 1;
  for (auto* table : {reductions, elementwise, one_tensor, steps}) {
    table(stream);
    std::fflush(stdout);
  }
  return cudaStreamDestroy(stream) == cudaSuccess ? 0 : 1;
}

}  // namespace bench
