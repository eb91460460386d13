#include "pool.h"

#include <cuda_runtime.h>

__global__ void scale(float* x, int n);

float* take(int n) {
  float* p = nullptr;
  cudaMalloc(&p, n);
  return p;
}
void give_back(float* p) { cudaFree(p); }

namespace {
struct Dense : Layer {
  explicit Dense(int n) { cudaMalloc(&weights, n); }
  ~Dense() override { cudaFree(weights); }
  void forward(float* x, int n) override {
    float* workspace = take(n);  // expect-high [alloc-in-loop]
    scale<<<1, 256>>>(x, n);
    give_back(workspace);
  }
  float* weights;
};
}  // namespace

Layer* make_layer(int n) { return new Dense(n); }
