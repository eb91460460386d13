// Which way a copy goes: read off the number behind the name, or off the one pointer that is known.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void k(float* x, int n);

#define TO_HOST cudaMemcpyDeviceToHost

void named(float* host, float* x, float* y, int n, int steps) {
  const cudaMemcpyKind put = cudaMemcpyHostToDevice;
  cudaMemcpyKind get = cudaMemcpyDeviceToHost;
  const cudaMemcpyKind aside = cudaMemcpyDeviceToDevice;
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(x, host, n, put);  // expect-high {{to the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    cudaMemcpy(host, x, n, get);  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    cudaMemcpy(host, x, n, TO_HOST);  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    cudaMemcpy(y, x, n, aside);
  }
}

void move(float* to, const float* from, int n, cudaMemcpyKind kind) { cudaMemcpy(to, from, n, kind); }
void handed_on(float* host, float* x, float* y, int n, int steps) {
  const auto back = cudaMemcpyDeviceToHost;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    move(host, x, n, back);  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    move(y, x, n, cudaMemcpyDeviceToDevice);
  }
}

// The driver looks where the pointers lead.
void by_pointers(float* given, float* other, int n, int steps) {
  float* host = static_cast<float*>(malloc(n));
  float* device;
  cudaMalloc(&device, n);
  float* second;
  cudaMalloc(&second, n);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(device, n);
    cudaMemcpy(host, given, n, cudaMemcpyDefault);  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(device, n);
    cudaMemcpy(device, given, n, cudaMemcpyDefault);  // expect-medium {{to the GPU}} [blocking-copy-in-loop]
    cudaMemcpy(second, device, n, cudaMemcpyDefault);
    cudaMemcpy(other, given, n, cudaMemcpyDefault);
  }
  free(host);
}

// Managed memory is on both sides.
void managed(float* given, int n, int steps) {
  float* shared;
  cudaMallocManaged(&shared, n);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(given, n);
    cudaMemcpy(shared, given, n, cudaMemcpyDefault);
  }
}
