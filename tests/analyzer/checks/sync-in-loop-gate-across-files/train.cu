#include <cuda_runtime.h>

#include "pace.h"

__global__ void k(float* x, int n);

int main() {
  float* x = nullptr;
  Pace pace(100);
  double next = 5;
  for (int i = 0; i < 1000; ++i) {
    k<<<1, 256>>>(x, 1);
    if (pace.due()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, 1);
    if (pace.always()) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, 1);
    if (seconds_since_start() > next) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      next += 5;
    }
    k<<<1, 256>>>(x, 1);
    pace.renew();
    pace.use();
  }
}
