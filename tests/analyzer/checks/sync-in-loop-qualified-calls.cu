// Base::step() names what runs: it is no call of what other classes put in its place.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Layer {
  virtual ~Layer() = default;
  virtual void step(float* x, int n) { k<<<1, 256>>>(x, n); }
  virtual void finish() { cudaDeviceSynchronize(); }
  virtual bool is_due(int) const { return false; }
};
struct Scaled : Layer {
  void step(float* x, int n) override {
    Layer::step(x, n);
    Layer::finish();  // expect-high [sync-in-loop]
  }
};
// Nobody runs it in a loop: it is no part of what Scaled does.
struct Slow : Layer {
  void step(float* x, int n) override {
    Layer::step(x, n);
    cudaDeviceSynchronize();
  }
  void finish() override { cudaDeviceSynchronize(); }
  bool is_due(int) const override { return true; }
};

template <class Parent>
struct Noisy : Parent {
  void step(float* x, int n) override { Parent::step(x, n); }
};

void train(Scaled& scaled, Layer& any, Noisy<Layer>& noisy, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    scaled.Scaled::step(x, n);
    any.Layer::step(x, n);
    noisy.Noisy<Layer>::step(x, n);
    if (any.Layer::is_due(i)) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (any.is_due(i)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  Scaled scaled;
  Slow slow;
  Noisy<Layer> noisy;
  train(scaled, slow, noisy, x, 256, 1000);
  slow.Slow::step(x, 256);
  slow.Slow::finish();
}
