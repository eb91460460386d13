// level: 0
// Nobody in sight calls the function: how often it runs is not known, so that no finding in it is of level 0.
#include <cuda_runtime.h>

__global__ void count(const float* x, int* total);
__global__ void render(const float* x, int total);

extern "C" void forward(const float* x, int* device_total) {
  int total = 0;
  count<<<1, 256>>>(x, device_total);
  cudaMemcpy(&total, device_total, sizeof total, cudaMemcpyDeviceToHost);
  if (total > 0) render<<<1, 256>>>(x, total);
}
