// A deleter that waits runs where its owner's life ends.
#include <cuda_runtime.h>
#include <memory>

__global__ void k(float* x, int n);

struct Wait {
  void operator()(float*) const { cudaDeviceSynchronize(); }
};
struct Free {
  void operator()(float* p) const { delete p; }
};
void wait_for(float*) { cudaDeviceSynchronize(); }

void by_type(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    std::unique_ptr<float, Wait> owner(x);  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

void by_pointer(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    std::unique_ptr<float, void (*)(float*)> owner(x, wait_for);  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

void by_lambda(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    std::shared_ptr<float> owner(x, [](float*) { cudaDeviceSynchronize(); });  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

void only_frees(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    std::unique_ptr<float, Free> owner(new float);
    k<<<1, 256>>>(x, n);
  }
}

// Others' deleters: nothing is known of them, or they have nothing to delete; what stands around them does not change.
void others(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    std::unique_ptr<float> plain(new float);
    std::unique_ptr<float, decltype(&cudaFree)> device(nullptr, cudaFree);
  }
}

// Given away: whoever has it now deletes it.
std::unique_ptr<float, Wait> made(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    std::unique_ptr<float, Wait> owner(x);
    k<<<1, 256>>>(x, n);
    if (i + 1 == steps) return owner;
  }
  return {};
}

void once(float* x, int n, int steps) {
  std::unique_ptr<float, Wait> owner(x);
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(x, n);
}
