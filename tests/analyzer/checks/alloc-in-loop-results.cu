// A function allocates its result, fills it, waits and returns it. Where the caller frees it in the same iteration, it
// computes; where the caller keeps it, it sets up.
#include <cuda_runtime.h>

__global__ void count_up(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

__global__ void add(float* to, const float* from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

float* positions(int n) {
  float* out;
  cudaMalloc(&out, n * sizeof(float));  // expect-high [alloc-in-loop]
  count_up<<<(n + 255) / 256, 256>>>(out, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  return out;
}

float* kept_positions(int n) {
  float* out;
  cudaMalloc(&out, n * sizeof(float));
  count_up<<<(n + 255) / 256, 256>>>(out, n);
  cudaDeviceSynchronize();
  return out;
}

int main() {
  for (int step = 0; step < 1000; ++step) {
    float* now = positions(1024);
    cudaFree(now);  // expect-high [alloc-in-loop]
  }
  float* layers[8];
  for (int i = 0; i < 8; ++i) layers[i] = kept_positions(1024);
  for (int step = 0; step < 1000; ++step) add<<<4, 256>>>(layers[0], layers[1], 1024);
}
