#include <cuda_runtime.h>

#include "table.h"

__global__ void norm_kernel(const float* x, float* out, int n);

static float norm(float* x, int n) {
  static float* out = nullptr;
  norm_kernel<<<(n + 255) / 256, 256>>>(x, out, n);
  float result;
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  return result;
}
static const bool added = Table::instance().add("norm", norm);
