// A helper asks whether the loss is finite: the same as asking it in the loop.
#include <cuda_runtime.h>

#include <cmath>

__global__ void step(float* x, float* loss) { atomicAdd(loss, x[threadIdx.x] += 1); }

bool is_fine(const float* loss) {
  float host;
  cudaMemcpy(&host, loss, 4, cudaMemcpyDeviceToHost);
  return !std::isnan(host);
}

bool is_equal(const float* loss) {
  float host;
  cudaMemcpy(&host, loss, 4, cudaMemcpyDeviceToHost);
  return host == host;
}

int main() {
  float *x, *loss;
  cudaMalloc(&x, 1024);
  cudaMalloc(&loss, 4);
  for (int i = 0; i < 100000; ++i) {
    step<<<1, 256>>>(x, loss);
    if (!is_fine(loss)) return 1;  // expect-high [branch-on-device]
    step<<<1, 256>>>(x, loss);
    if (!is_equal(loss)) return 1;  // expect-high [branch-on-device]
  }
}
