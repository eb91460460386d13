// Tables of functions and buffers that aggregate initialisation fills.
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(float* x, int n);
struct Batch { float* data; int n; };
struct Ops { void (*forward)(float*); void (*backward)(float*); };
static void forward(float* x) {
  k<<<1, 1>>>(x, 1);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  k<<<1, 1>>>(x, 1);
}
static void backward(float* x) {
  k<<<1, 1>>>(x, 1);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
  k<<<1, 1>>>(x, 1);
}
static void third(float* x) {
  k<<<1, 1>>>(x, 1);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
  k<<<1, 1>>>(x, 1);
}
static const Ops ops = {forward, nullptr};
static void (*table[])(float*) = {backward};
int main() {
  float* x;
  cudaMalloc(&x, 4);
  Batch b{(float*)malloc(1 << 20), 1 << 18};
  Ops local{third, nullptr};
  Batch c = {.data = new float[64], .n = 64};
  for (int i = 0; i < 100; ++i) {
    ops.forward(x);
    table[0](x);
    local.forward(x);
    cudaMemcpyAsync(x, b.data, b.n * 4, cudaMemcpyHostToDevice, 0);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, c.data, b.n * 4, cudaMemcpyHostToDevice, 0);  // expect-high [pageable-async-copy]
  }
}
