// Shapes that look like waits in training loops, and are none.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void k(float* x, int n);
__global__ void reference(float* x, int n);

// Unit tests and micro-benchmarks compare after each case.
bool test_sizes(float* x, float* host, const std::vector<int>& sizes) {
  for (int n : sizes) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    if (host[0] != 0) return false;
  }
  return true;
}

// Retry until the device is free: no launch in the loop.
cudaError_t wait_for_device() {
  cudaError_t e;
  do {
    e = cudaDeviceSynchronize();
  } while (e == cudaErrorNotReady);
  return e;
}

// A main loop over command-line files, each a whole run.
void usage() {
  cudaDeviceSynchronize();
  exit(1);
}

// Destructors and atexit handlers.
struct Context {
  ~Context() {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
  float* p = nullptr;
};

// do { } while (0) is no loop.
void once(float* x, int n) {
  do {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();
  } while (0);
  for (bool first = true; first; first = false) k<<<1, 256>>>(x, n);
}

// Autotuning: only the name says so.
void autotune(float* x, int n) {
  for (int block = 32; block <= 1024; block += 32) {
    k<<<1, block>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

// Asked of the user: a flag of the command line, `sync` for debugging.
void launch_checked(float* x, int n) {
  k<<<1, 256>>>(x, n);
#ifndef NDEBUG
#endif
  if (getenv("CUDA_SYNC_DEBUG")) cudaDeviceSynchronize();
}

int main() {
  Context context;
  cudaMalloc(&context.p, 1024);
  autotune(context.p, 4);
  for (int i = 0; i < 1000; ++i) k<<<1, 256>>>(context.p, 4);
  once(context.p, 4);
  if (wait_for_device() != cudaSuccess) usage();
}
