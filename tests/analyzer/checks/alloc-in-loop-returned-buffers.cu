// Functions that launch into a new buffer and return it, in the style of expressions. A loop that drops or replaces what
// they return trains; one that keeps it builds something.
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

__global__ void scale(float* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = .5f * x[i];
}

class Matrix {
 public:
  explicit Matrix(int n) : n_(n) { cudaMalloc(&memory_, n * sizeof(float)); }
  Matrix(Matrix&& other) noexcept : memory_(other.memory_), n_(other.n_) { other.memory_ = nullptr; }
  Matrix& operator=(Matrix&& other) noexcept {
    std::swap(memory_, other.memory_);
    n_ = other.n_;
    return *this;
  }
  ~Matrix() {
    if (memory_) cudaFree(memory_);
  }
  float* data() const { return memory_; }
  int size() const { return n_; }

 private:
  float* memory_;
  int n_;
};

Matrix scaled(const Matrix& x) {
  Matrix y(x.size());  // expect-high [alloc-in-loop]
  scale<<<(x.size() + 255) / 256, 256>>>(y.data(), x.data(), x.size());
  return y;
}

void replaces(int steps) {
  Matrix x(4096);
  for (int step = 0; step < steps; ++step) {
    x = scaled(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

using Shared = std::shared_ptr<Matrix>;

Shared scaled_shared(const Shared& x) {
  auto y = std::make_shared<Matrix>(x->size());  // expect-high [alloc-in-loop]
  scale<<<(x->size() + 255) / 256, 256>>>(y->data(), x->data(), x->size());
  return y;
}

void replaces_by_name(int steps) {
  Shared x = std::make_shared<Matrix>(4096);
  for (int step = 0; step < steps; ++step) {
    Shared y = scaled_shared(x);
    x = y;
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

class Network {
 public:
  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      x_ = scaled(x_);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }

 private:
  Matrix x_{4096};
};

// Each of these layers stays: the loop runs once, before training.
std::unique_ptr<Matrix> initialised(int n, float* from) {
  auto y = std::make_unique<Matrix>(n);
  scale<<<(n + 255) / 256, 256>>>(y->data(), from, n);
  cudaDeviceSynchronize();
  return y;
}

std::vector<std::unique_ptr<Matrix>> layers(float* from, int count) {
  std::vector<std::unique_ptr<Matrix>> all;
  for (int i = 0; i < count; ++i) all.push_back(initialised(4096, from));
  return all;
}

int main(int argc, char**) {
  float* from;
  cudaMalloc(&from, 4096 * sizeof(float));
  auto network = layers(from, argc);
  replaces(1000);
  replaces_by_name(1000);
  Network().run(1000);
}
