// level: 2
// The first run of a kernel is timed.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>

__global__ void first(float* x) { x[threadIdx.x] += 1; }
__global__ void warm(float* x) { x[threadIdx.x] += 1; }
__global__ void many(float* x) { x[threadIdx.x] += 1; }

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  auto start = std::chrono::steady_clock::now();
  first<<<1, 256>>>(x);  // expect-medium {{'first'}} [cold-timing]
  cudaDeviceSynchronize();
  auto end = std::chrono::steady_clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());

  warm<<<1, 256>>>(x);
  start = std::chrono::steady_clock::now();
  warm<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  end = std::chrono::steady_clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());

  start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) many<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  end = std::chrono::steady_clock::now();
  std::printf("%f\n", std::chrono::duration<double>(end - start).count());
}
