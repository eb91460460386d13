// The halves of an asynchronous read-back stand in helpers: it is one read-back, and the wait is needed.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void k(float* x) { *x += 1; }

void fetch(float* to, const float* from, cudaStream_t stream) {
  cudaMemcpyAsync(to, from, sizeof(float), cudaMemcpyDeviceToHost, stream);
}
void fetch_twice_removed(float* to, const float* from, cudaStream_t stream) { fetch(to, from, stream); }
void put(float* to, const float* from, cudaStream_t stream) {
  cudaMemcpyAsync(to, from, sizeof(float), cudaMemcpyHostToDevice, stream);
}
void wait(cudaStream_t stream) { cudaStreamSynchronize(stream); }

int main() {
  float *d, *h;
  cudaStream_t stream;
  cudaMalloc(&d, 4);
  cudaMallocHost(&h, 4);
  cudaStreamCreate(&stream);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    k<<<1, 1, 0, stream>>>(d);
    fetch(h, d, stream);  // expect-high [scalar-readback]
    cudaStreamSynchronize(stream);
    sum += *h;
  }
  for (int i = 0; i < 1000; ++i) {
    k<<<1, 1, 0, stream>>>(d);
    fetch_twice_removed(h, d, stream);  // expect-high [scalar-readback]
    wait(stream);
    sum += *h;
  }
  // A copy the other way needs no wait.
  for (int i = 0; i < 1000; ++i) {
    put(d, h, stream);
    k<<<1, 1, 0, stream>>>(d);
    wait(stream);  // expect-high [sync-in-loop]
  }
  printf("%f\n", sum);
}
