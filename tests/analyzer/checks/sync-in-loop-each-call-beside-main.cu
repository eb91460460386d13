// main() trains: what nobody calls is left over, whether it overrides something or not.
#include <cuda_runtime.h>

__global__ void step(float* x, int n);

struct Layer {
  virtual void profile_me(float* x);
};
struct Dense : Layer {
  void profile_me(float* x) override {
    step<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();
  }
};
void left_over(float* x) {
  step<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
