#include <cuda_runtime.h>

#include "table.h"

__global__ void scale_kernel(float* x, int n);

static float scale(float* x, int n) {
  scale_kernel<<<(n + 255) / 256, 256>>>(x, n);
  return 0;
}
static const bool added = Table::instance().add("scale", scale);

static float check(float* x, int n) {
  float first;
  cudaMemcpy(&first, x, sizeof(float), cudaMemcpyDeviceToHost);
  return first;
}
static const bool check_added = Table::instance().add("check", check);
