#include <cuda_runtime.h>
#include "step.h"
__global__ void k(float* x);
void step(float* x) {
  k<<<1, 1>>>(x);
  k<<<1, 1>>>(x);
}
