#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// A function that nobody shows may launch.
void unknown_work(float* x, int n);
void unknown_between(float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    unknown_work(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
