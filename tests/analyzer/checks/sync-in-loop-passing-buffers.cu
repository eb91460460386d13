// Layers that return their output in memory of its own: it passes through the step, and the loop is no set-up.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void k(float* p);

struct Memory {
  explicit Memory(int n) : n(n) { cudaMalloc(&d, n); }
  ~Memory() { cudaFree(d); }
  float* d;
  int n;
};
using Shared = std::shared_ptr<Memory>;

struct Net {
  Shared w;
  Shared forward(Shared x) {
    auto y = std::make_shared<Memory>(x->n);  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(y->d);
    return y;
  }
  Shared backward(Shared g) {
    auto y = std::make_shared<Memory>(g->n);  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(y->d);
    k<<<1, 256>>>(w->d);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    return y;
  }
};

Shared filled(int n) {
  auto y = std::make_shared<Memory>(n);
  k<<<1, 256>>>(y->d);
  cudaDeviceSynchronize();
  return y;
}
float* raw(int n) {
  float* p;
  cudaMalloc(&p, n);
  k<<<1, 256>>>(p);
  cudaDeviceSynchronize();
  return p;
}

int main() {
  Net net;
  auto x = std::make_shared<Memory>(64);
  std::vector<Shared> pushed, named;
  std::vector<float*> pointers;
  float* array[10];
  for (int i = 0; i < 10; ++i) pushed.push_back(filled(64));
  for (int i = 0; i < 10; ++i) {
    auto one = filled(64);
    named.push_back(one);
  }
  for (int i = 0; i < 10; ++i) {
    float* one = raw(64);
    pointers.push_back(one);
  }
  for (int i = 0; i < 10; ++i) array[i] = raw(64);
  for (int s = 0; s < 1000; ++s) {
    auto y = net.forward(x);
    auto g = net.backward(y);
  }
}
