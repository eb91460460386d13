// Members of class templates, and calls of generic lambdas, that only the standard library's code needs: its bodies are
// skipped, and what they would instantiate is read all the same.
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

template <class T>
__global__ void scale(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

template <class T>
class Buffer {
 public:
  explicit Buffer(size_t n) { cudaMalloc(&data, n * sizeof(T)); }
  ~Buffer() { cudaFree(data); }
  T* data = nullptr;
};

template <class T>
class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward(T* x) = 0;
};
template <class T>
class Dense : public Layer<T> {
 public:
  explicit Dense(int n) : n_(n) {}
  void forward(T* x) override {
    scale<T><<<4, 256>>>(x, n_);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }

 private:
  int n_;
};
template <class T>
class Relu : public Layer<T> {
 public:
  void forward(T* x) override {
    scale<T><<<4, 256>>>(x, 1024);
    cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
  }
};

template <class T>
class Network {
 public:
  Network() {
    layers_.push_back(std::make_unique<Dense<T>>(1024));
    layers_.emplace_back(std::make_unique<Relu<T>>());
  }
  void step() {
    auto scratch = std::make_unique<Buffer<T>>(1024);  // expect-high [alloc-in-loop]
    for (auto& layer : layers_) layer->forward(scratch->data);
  }

 private:
  std::vector<std::unique_ptr<Layer<T>>> layers_;
};

struct Block {
  void forward(float* x) {
    scale<<<4, 256>>>(x, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};
struct Head {
  void forward(float* x) {
    scale<<<4, 256>>>(x, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};
template <class T>
struct Run {
  float* x;
  void operator()(T& part) const { part.forward(x); }
};
template <class T>
struct Finish {
  T* x;
  void operator()() const {
    scale<T><<<4, 256>>>(x, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};

int main() {
  auto network = std::make_unique<Network<float>>();
  float* x = nullptr;
  cudaMalloc(&x, 4096);
  std::vector<Block> blocks(4);
  std::vector<std::unique_ptr<Head>> heads;
  std::function<void()> finish = Finish<float>{x};
  for (int step = 0; step < 10000; ++step) {
    network->step();
    std::for_each(blocks.begin(), blocks.end(), [&](auto& block) { block.forward(x); });
    std::for_each(heads.begin(), heads.end(), [&](const auto& head) { head->forward(x); });
    std::for_each(blocks.begin(), blocks.end(), Run<Block>{x});
    finish();
    // What is no iterator, and what takes no element, is left alone.
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return &a < &b; });
    std::max(step, 3, [](auto a, auto b) { return a < b; });
  }
}
