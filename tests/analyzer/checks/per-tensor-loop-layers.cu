// Layers of a network run one after the other: no map over tensors, whatever the loop looks like.
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>

__global__ void k(float* x, int n);

struct Layer {
  void (*forward_gpu)(Layer&, float*);
  void (*update_gpu)(Layer&, float);
  float *weights, *output;
  int n;
};
void forward_connected(Layer& l, float* x) { k<<<1, 256>>>(x, l.n); }
void update_connected(Layer& l, float rate) { k<<<1, 256>>>(l.weights, l.n); }

struct Module {
  virtual ~Module() = default;
  virtual float* forward(float* x) = 0;
};
struct Dense : Module {
  float* out = nullptr;
  float* forward(float* x) override {
    k<<<1, 256>>>(x, 1);
    return out;
  }
};

int main() {
  float* x = nullptr;
  std::vector<Layer> layers(4);
  for (auto& l : layers) {
    l.forward_gpu = forward_connected;
    l.update_gpu = update_connected;
  }
  std::vector<std::unique_ptr<Module>> modules;
  modules.push_back(std::make_unique<Dense>());
  std::vector<std::function<void(float*)>> stages{[](float* y) { k<<<1, 256>>>(y, 2); }};
  for (int step = 0; step < 1000; ++step) {
    for (size_t i = 0; i < layers.size(); ++i) layers[i].forward_gpu(layers[i], x);
    for (size_t i = layers.size(); i-- > 0;) {
      Layer& l = layers[i];
      l.forward_gpu(l, x);
    }
    for (auto& module : modules) module->forward(x);
    float* h = x;
    for (auto& module : modules) h = module->forward(h);
    for (auto& stage : stages) stage(x);
  }
}
