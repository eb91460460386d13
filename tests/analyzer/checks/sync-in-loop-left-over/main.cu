#include <cuda_runtime.h>

__global__ void step(float* x, int n);

int main() {
  float* x = nullptr;
  cudaMalloc(&x, 1 << 20);
  for (int i = 0; i < 1000; ++i) step<<<64, 128>>>(x, 1 << 18);
  cudaFree(x);
}
