// A jump back to a label is a loop.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void again(float* x, int n, int steps) {
  int i = 0;
next:
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  if (++i < steps) goto next;
  cudaDeviceSynchronize();
}

// Forward only: what fails is left behind.
[[maybe_unused]] static int cleaned_up(float* x, int n) {
  k<<<1, 256>>>(x, n);
  if (cudaGetLastError() != cudaSuccess) goto fail;
  cudaDeviceSynchronize();
  return 0;
fail:
  cudaDeviceSynchronize();
  return 1;
}
