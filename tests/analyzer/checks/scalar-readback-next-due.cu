// A step that is due when a count or a time has come, and moves that on: it runs once in many steps.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

void read(float* x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h);
}

int main() {
  float *x, h;
  const int n = 1 << 20;
  cudaMalloc(&x, n * 4);
  int next = 100, at_most = 5, behind = 0;
  double time = 0, interval = 0.1, due = interval;
  for (int s = 0; s < 100000; ++s) {
    work<<<n / 256, 256>>>(x, n);
    time += 1e-4;
    if (s >= next) {
      next += 100;
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-low [scalar-readback]
    }
    if (time >= due) {
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-low [scalar-readback]
      due = time + interval;
    }
    if (s / 100 != (s - 1) / 100) cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-low [scalar-readback]
    if (at_most <= s) {
      at_most += 5;
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-medium [scalar-readback]
    }
    if (s > behind) {  // moved on by one: it holds in each step
      behind += 1;
      cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    }
  }
}
