// main() asks once whether a size fits: the loops after that are no rarer for it. A remainder of a counter is.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void k(float* x, int n);

void train(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void watched(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i % 100 != 0) continue;
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}

int main(int argc, char** argv) {
  const int n = atoi(argv[1]);
  if (n % 8 != 0) {
    printf("the size must be a multiple of 8\n");
    return 1;
  }
  float* x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  train(x, n, 1000);
  watched(x, n, 1000);
  for (int i = 0; i < 1000; ++i) {
    k<<<1, 256>>>(x, n);
    if (i % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  if (n % 64 == 0) {
    for (int i = 0; i < 1000; ++i) {
      k<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
  cudaFree(x);
}
