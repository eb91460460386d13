#include "layers.h"
#include <cuda_runtime.h>

__global__ void fused(float* x);

void FusedDense::step(float* x) {
  fused<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
