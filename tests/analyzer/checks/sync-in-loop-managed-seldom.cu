// The host reads managed memory in one iteration of many, and waits in each.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void k(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] += 1;
}
void print(const float* w) { printf("%f\n", w[0]); }

void each_step(int steps) {
  float* w;
  cudaMallocManaged(&w, 4096);
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(w, 1024);
    cudaDeviceSynchronize();  // expect-high {{needs the result in only some iterations}} [sync-in-loop] expect-evidence [sync-in-loop] {{behind a condition}}
    if (i % 1000 == 0) print(w);
  }
}
void each_step_read(int steps, double& sum) {
  float* w;
  cudaMallocManaged(&w, 4096);
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(w, 1024);
    cudaDeviceSynchronize();
    if (i % 1000 == 0) print(w);
    sum += w[i % 1024];
  }
}
void where_it_reads(int steps) {
  float* w;
  cudaMallocManaged(&w, 4096);
  for (int i = 0; i < steps; ++i) {
    k<<<4, 256>>>(w, 1024);
    if (i % 1000 == 0) {
      cudaDeviceSynchronize();
      print(w);
    }
  }
}

int main() {
  double sum = 0;
  each_step(100000);
  each_step_read(100000, sum);
  where_it_reads(100000);
}
