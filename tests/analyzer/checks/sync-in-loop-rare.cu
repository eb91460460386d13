// Loops that are none, and warm-up.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// A loop whose body always leaves.
[[maybe_unused]] static int first_device() {
  for (int d = 0; d < 8; ++d) {
    k<<<1, 256>>>(nullptr, d);
    cudaDeviceSynchronize();
    return d;
  }
  return -1;
}

// Warm-up before training.
[[maybe_unused]] static void warmup(float* x, int n) {
  for (int i = 0; i < 3; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();
  }
}
void last_only(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i == steps - 1) cudaDeviceSynchronize();
  }
}

void last_then_out(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i == steps - 1) {
      cudaDeviceSynchronize();
      break;
    }
  }
}

bool stop_early(float* x, int n, int steps, volatile bool* interrupted) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (*interrupted) {
      cudaDeviceSynchronize();
      return false;
    }
  }
  return true;
}
