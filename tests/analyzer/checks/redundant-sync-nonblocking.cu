// With non-blocking streams about, a blocking copy on the legacy stream covers nothing.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void run(float* host, float* x, int n, int steps) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  cudaStreamDestroy(stream);
}
