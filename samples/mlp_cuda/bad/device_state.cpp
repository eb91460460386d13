#include "bad/device_state.h"

#include "bad/timed_wait.h"

namespace bad {

void require_healthy_device() {
  TIMED_WAIT(cudaDeviceSynchronize());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace bad
