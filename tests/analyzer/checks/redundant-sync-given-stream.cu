// A blocking copy waits for blocking streams alone, and which kind this one is only its maker knows.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void on_a_given_stream(float* mapped, float* small, float* host, cudaStream_t s, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(mapped, 64);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaMemcpy(host, small, 1024, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    k<<<1, 256, 0, s>>>(mapped, 64);
    cudaMemcpy(host, small, 1024, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
