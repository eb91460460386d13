// flags: --default-stream per-thread
// The copy waits on this thread's stream alone.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void run(float* host, float* x, int n, int steps, cudaStream_t stream) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}
