// A container of modules hands on to each what it was asked to do: that loop runs as often as it is asked.
#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

__global__ void fill(float* x, float v, int n);
__global__ void forward_layer(float* y, const float* x, int n);

struct Module {
  virtual ~Module() = default;
  virtual void reset() {
    for (auto& [name, child] : children_) child.get().reset();
  }
  virtual void forward(float* x) {
    for (auto& child : layers_) child->forward(x);
  }
  std::vector<std::pair<std::string, std::reference_wrapper<Module>>> children_;
  std::vector<std::shared_ptr<Module>> layers_;
};

struct Linear : Module {
  void reset() override {
    fill<<<16, 256>>>(w, 0.1f, 4096);
    cudaDeviceSynchronize();
  }
  void forward(float* x) override {
    forward_layer<<<16, 256>>>(x, w, 4096);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  float* w = nullptr;
};

struct Net : Module {
  Net() { reset(); }
};

int main() {
  Net net;
  float *x, loss;
  cudaMalloc(&x, 4096 * 4);
  for (int i = 0; i < 10000; ++i) {
    net.forward(x);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  }
}
