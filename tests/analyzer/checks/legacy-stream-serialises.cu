// level: 2
// A launch on the default stream beside launches on blocking streams.
#include <cuda_runtime.h>

__global__ void k(float* x, const int* from) { x[from[threadIdx.x]] += 1.0f; }

void train(float* x, const int* from, int steps) {
  cudaStream_t left, right;
  cudaStreamCreate(&left);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256, 0, left>>>(x, from);
    k<<<1, 256>>>(x, from);  // expect-high {{'left'}} [legacy-stream-serialises]
  }
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256, 0, right>>>(x, from);
    k<<<1, 256>>>(x, from);
  }
  for (int step = 0; step < steps; ++step) k<<<1, 256>>>(x, from);
}
