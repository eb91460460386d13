// Set-up adds objects to a list through a method, and that works on each before it adds it. Boosting does the same to
// train: each object it adds goes on from what the ones before have left.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void fill(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] = 1;
}
__global__ void scale(float* w, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] *= a;
}
__global__ void subtract(const float* w, float* rest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rest[i] -= w[i];
}

struct Layer {
  float* w;
  int n;
  explicit Layer(int n) : n(n) {
    cudaMalloc(&w, n * 4);
    fill<<<n / 128, 128>>>(w, n);
    cudaDeviceSynchronize();  // expect-low {{in a loop}} [sync-in-loop]
  }
  void step(float a) {
    scale<<<n / 128, 128>>>(w, n, a);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};
struct Net {
  virtual ~Net() = default;
  virtual void add(int n) {
    auto layer = std::unique_ptr<Layer>(new Layer(n));  // expect-low [alloc-in-loop]
    for (int i = 0; i < steps; ++i) layer->step(0.5f);
    layers.push_back(std::move(layer));
  }
  void append(int n) { layers.push_back(std::make_unique<Layer>(n)); }
  void train() {
    for (; steps < 10000; ++steps)
      for (auto& layer : layers) layer->step(0.9f);  // expect-high [per-tensor-loop]
  }
  std::vector<std::unique_ptr<Layer>> layers;
  int steps = 0;
};
struct Average : Net {
  void add(int n) override {
    Net::add(n);
    if (steps > 0) layers.back()->step(1.0f / steps);
  }
};
std::unique_ptr<Net> make(bool averages) {
  if (averages) return std::make_unique<Average>();
  return std::make_unique<Net>();
}

struct Tree {
  float* w;
  explicit Tree(int n) { cudaMalloc(&w, n * 4); }
  void fit(float* rest, int n) {
    fill<<<n / 128, 128>>>(w, n);  // expect-high [unfused-elementwise-chain]
    subtract<<<n / 128, 128>>>(w, rest, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};
struct Forest {
  std::vector<std::unique_ptr<Tree>> trees;
  void boost(float* rest, int n) {
    auto tree = std::make_unique<Tree>(n);  // expect-high [alloc-in-loop]
    tree->fit(rest, n);
    trees.push_back(std::move(tree));
  }
  void boost_last(float* rest, int n) {
    trees.push_back(std::make_unique<Tree>(n));  // expect-high [alloc-in-loop]
    trees.back()->fit(rest, n);
  }
};

int main(int argc, char** argv) {
  std::vector<int> sizes(argv[1][0]);
  float* rest;
  cudaMalloc(&rest, 1 << 20);
  auto net = make(argc > 2);
  for (size_t i = 0; i < sizes.size(); ++i) net->add(sizes[i]);
  Net other;
  for (size_t i = 0; i < sizes.size(); ++i) other.append(sizes[i]);
  net->train();
  other.train();
  Forest forest;
  for (int i = 0; i < 1000; ++i) forest.boost(rest, 1 << 18);
  for (int i = 0; i < 1000; ++i) forest.boost_last(rest, 1 << 18);
  for (int i = 0; i < 1000; ++i) subtract<<<1024, 256>>>(rest, rest + 1, 1 << 10);
}
