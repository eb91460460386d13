// Functions of CUDA that are handed on and called elsewhere: the finding stands where they are handed on.
#include <cuda_runtime.h>

#include <functional>
#include <vector>

__global__ void k(float* x) { *x += 1; }

template <class F>
void call(F f) {
  f();
}
void run(cudaError_t (*f)()) { f(); }
void keep(cudaError_t (*f)()) {}
void copy_with(cudaError_t (*copy)(void*, const void*, size_t, cudaMemcpyKind), float* h, const float* d) {
  copy(h, d, 4, cudaMemcpyDeviceToHost);
}

struct Hooks {
  std::function<cudaError_t()> after;
};

int main() {
  float *d, h;
  cudaMalloc(&d, 4);
  Hooks hooks{cudaDeviceSynchronize};
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    call(cudaDeviceSynchronize);  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    run(&cudaDeviceSynchronize);  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    hooks.after();  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    copy_with(cudaMemcpy, &h, d);  // expect-high [blocking-copy-in-loop]
  }
  // Not called, or no wait.
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(d);
    keep(cudaDeviceSynchronize);
    call(cudaGetLastError);
  }
  call(cudaDeviceSynchronize);
}
