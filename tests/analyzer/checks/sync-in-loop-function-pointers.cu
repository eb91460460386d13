// Functions handed over as pointers, and called as C spells it: (*f)(x).
#include <cuda_runtime.h>

__global__ void step(float* x, int n);

static float* sigmoid(float* x, int n) {
  step<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  return x;
}
static float* softmax(float* x, int n) {
  step<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  return x;
}
static float* never(float* x, int n) {
  step<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();
  return x;
}

struct Layer {
  virtual float* forward(float* x, int n, float* (*activate)(float*, int)) { return x; }
};
struct Gate : Layer {
  float* forward(float* x, int n, float* (*activate)(float*, int)) override { return (*activate)(x, n); }
};
struct Dense {
  Dense() : activate(softmax) {}
  float* (*activate)(float*, int);
  float* forward(float* x, int n) { return (*this->activate)(x, n); }
};

void train(Layer* gate, Dense& dense, float* x, int steps, int n) {
  never(x, n);
  for (int i = 0; i < steps; ++i) {
    gate->forward(x, n, sigmoid);
    dense.forward(x, n);
  }
}

// The whole context goes, and the next call makes it anew.
void reset_each_step(float* x, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    step<<<64, 128>>>(x, n);
    cudaDeviceReset();  // expect-high [sync-in-loop]
  }
}
