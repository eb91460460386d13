// A managed variable is readable only after the wait.
#include <cuda_runtime.h>

__managed__ float loss;
__global__ void add_loss(float* x);
float read_managed_variable(float* x, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    add_loss<<<1, 256>>>(x);
    cudaDeviceSynchronize();
    total += loss;
  }
  return total;
}
