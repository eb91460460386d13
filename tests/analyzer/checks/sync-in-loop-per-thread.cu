// With a default stream per thread CUDA's headers rename the functions; messages have the names that the source has.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda_runtime.h>

__global__ void step(float* x) { x[threadIdx.x] *= 2; }

int main() {
  float *x, host[32];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, sizeof host);
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 32, 0, stream>>>(x);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop] {{a stream (cudaStreamSynchronize) in}}
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop] {{cudaMemcpy blocks}}
  }
}
