// Deleting must be right: nearly redundant waits.
#include <cuda_runtime.h>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

__global__ void k(float* x, int n);

// Zero-copy (mapped) memory handed to a function that reads it.
float sum(const float* p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += p[i];
  return s;
}
float mapped(float* mapped_host, float* mapped_device, float* host, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(mapped_device, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    total += sum(mapped_host, n);
    cudaMemcpy(host, mapped_device, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  return total;
}

// Host memory is freed between.
void freed(float* x, float* host, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    float* staging;
    cudaMallocHost(&staging, n * 4);  // expect-high [alloc-in-loop]
    cudaMemcpyAsync(x, staging, n * 4, cudaMemcpyHostToDevice);
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaFreeHost(staging);
    cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

// printf of the kernels comes out at the wait, before the host's own line.
void in_branches(float* x, float* host, int n, int steps, bool down) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (down) cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

// A loop over streams waits for each.
void each_stream(float* x, int n, int steps, std::vector<cudaStream_t>& streams) {
  for (int i = 0; i < steps; ++i) {
    for (auto& s : streams) k<<<1, 256, 0, s>>>(x, n);
    for (auto& s : streams) cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// NULL, 0 and cudaStreamLegacy name one stream; cudaStreamPerThread another.
void names(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    k<<<1, 256, 0, cudaStreamPerThread>>>(x, n);
    cudaStreamSynchronize(0);                    // expect-high [sync-in-loop]
    cudaStreamSynchronize(cudaStreamPerThread);  // expect-high [sync-in-loop]
  }
}
