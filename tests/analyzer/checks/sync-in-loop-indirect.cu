// The loop calls through pointers, virtual functions, std::function and lambdas; the wait sits at the other end.
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>

__global__ void k(float* x);

struct Layer;
typedef void (*forward_fn)(Layer&, float*);
struct Layer {
  forward_fn forward_gpu;
  void (*backward_gpu)(Layer&, float*);
  float* output;
};

void forward_connected(Layer& l, float* x) {
  k<<<1, 1>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  k<<<1, 1>>>(l.output);
}

void backward_connected(Layer& l, float* x) {
  k<<<1, 1>>>(l.output);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
  k<<<1, 1>>>(x);
}

Layer make_connected() {
  Layer l = {0};
  l.forward_gpu = forward_connected;
  l.backward_gpu = backward_connected;
  return l;
}

class Module {
 public:
  virtual ~Module() = default;
  virtual void forward(float* x) = 0;
};

class Dense : public Module {
 public:
  void forward(float* x) override {
    k<<<1, 1>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
  }
};

class Relu : public Module {
 public:
  void forward(float* x) override { k<<<1, 1>>>(x); }
};

void epoch_end() { cudaDeviceSynchronize(); }

int main() {
  float* x = nullptr;
  cudaMalloc(&x, 1024);
  std::vector<Layer> layers{make_connected()};
  std::vector<std::unique_ptr<Module>> modules;
  modules.push_back(std::make_unique<Dense>());
  modules.push_back(std::make_unique<Relu>());
  std::function<void(float*)> callback = [](float* y) {
    k<<<1, 1>>>(y);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 1>>>(y);
  };
  auto lambda = [&] {
    k<<<1, 1>>>(x);
    cudaStreamSynchronize(nullptr);  // expect-high [sync-in-loop]
    k<<<1, 1>>>(x);
  };
  for (int step = 0; step < 1000; ++step) {
    layers[0].forward_gpu(layers[0], x);
    layers[0].backward_gpu(layers[0], x);
    modules[step % 2]->forward(x);
    callback(x);
    lambda();
  }
  std::function<void()> at_end = epoch_end;
  at_end();
  return 0;
}
