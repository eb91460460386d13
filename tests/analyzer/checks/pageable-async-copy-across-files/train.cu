#include <cuda_runtime.h>
#include "buffers.h"

__global__ void k(float* x, int n);

void send(float* x, const HostBuffer& batch, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, 0);
  cudaMemcpyAsync(x, batch.data, batch.size * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
  // expect-path@-1 [pageable-async-copy] train.cu:21, train.cu:22
  // expect-evidence@-2 [pageable-async-copy] {{new float[n]}}
}

int main() {
  const int n = 1 << 20;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaStream_t s;
  cudaStreamCreate(&s);
  HostBuffer batch = make_buffer(n);
  allocate_into(&y, n);
  for (int step = 0; step < 100; ++step) {
    send(x, batch, s);
    cudaMemcpyAsync(x, y, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    k<<<1, 256, 0, s>>>(x, n);
  }
}
