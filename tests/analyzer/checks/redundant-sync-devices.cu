// cudaDeviceSynchronize waits for the current device alone.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

// Each waits for its own device.
void devices(float** x, int n, int steps, int count) {
  for (int i = 0; i < steps; ++i) {
    cudaSetDevice(0);
    k<<<1, 256>>>(x[0], n);
    cudaSetDevice(1);
    k<<<1, 256>>>(x[1], n);
    cudaSetDevice(0);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaSetDevice(1);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
