// More ways to write the same.
#include <cuda_runtime.h>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

__global__ void k(float* x, int n);

struct Options {
  bool sync_every_step = false;
  int steps = 100;
};

// Error object that throws.
#define CUDA_CALL(x)                                                   \
  do {                                                                 \
    if ((x) != cudaSuccess) throw std::runtime_error("cuda failed");   \
  } while (0)
#define CUDA_LAST() CUDA_CALL(cudaGetLastError())

// Name of the kernel is a template.
template <typename T, int N>
__global__ void tk(T* x);
template <typename T>
void step_as(T* x, cudaStream_t s) {
  tk<T, 4><<<1, 32, 0, s>>>(x);
  CUDA_CALL(cudaStreamSynchronize(s));  // expect-high [sync-in-loop]
  tk<T, 8><<<1, 32, 0, s>>>(x);
}

// A recursive solver.
void solve(float* x, int level) {
  if (level == 0) return;
  k<<<1, 256>>>(x, level);
  solve(x, level - 1);
}

void while_not_done(float* x, int n, volatile bool* done) {
  while (!*done) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void ranges(float* x, std::vector<int>& sizes) {
  for (int n : sizes) {
    k<<<1, 256>>>(x, n);
    CUDA_LAST();
    CUDA_CALL(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

void switched(float* x, int n, int steps, int mode) {
  for (int i = 0; i < steps; ++i) {
    switch (mode) {
      case 0:
        k<<<1, 256>>>(x, n);
        break;
      default:
        k<<<1, 256>>>(x, n);
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
}

void comma_and_ternary(float* x, int n, int steps, bool wait) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaError_t e = wait ? cudaDeviceSynchronize() : cudaGetLastError();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n), (void)e;
  }
}

void immediately(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    [&] {
      k<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      k<<<1, 256>>>(x, n);
    }();
  }
}

int train() {
  float* x;
  double* y;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  std::map<std::string, std::function<void()>> commands;
  for (int i = 0; i < 100; ++i) {
    step_as(x, 0);
    step_as(y, 0);
  }
  solve(x, 10);
  cudaDeviceSynchronize();
}
