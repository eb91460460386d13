// What the callers give, or leave out, turns off the launches of one loop, and not those of the other.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void fill(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}
__global__ void train(float* weights);

struct Tensor {
  void zero_grad(bool set_to_none) {
    if (set_to_none)
      gradient = nullptr;
    else
      fill<<<n / 256 + 1, 256>>>(gradient, 0.0f, n);
  }
  float *data = nullptr, *gradient = nullptr;
  int n = 0;
};

struct Optimizer {
  std::vector<std::shared_ptr<Tensor>> parameters, averages;
  void zero_grad(bool set_to_none = true) {
    for (auto& p : parameters) p->zero_grad(set_to_none);
  }
  void zero_averages(bool set_to_none = true) {
    for (auto& p : averages) p->zero_grad(set_to_none);  // expect-high [per-tensor-loop]
  }
};

int main() {
  Optimizer optimizer;
  float* weights;
  cudaMalloc(reinterpret_cast<void**>(&weights), 1024);
  for (int step = 0; step < 1000; ++step) {
    train<<<1, 256>>>(weights);
    optimizer.zero_grad();
    optimizer.zero_averages(false);
  }
}
