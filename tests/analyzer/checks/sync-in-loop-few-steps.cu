// Ten steps of one big kernel that updates its weights through pointers it makes, and functions it hands them to: each
// step goes on from the one before, so that this is no loop that repeats one launch to time it.
#include <cuda_runtime.h>
#include <time.h>

#include <cstdio>

__device__ void descend(float* w, const float* g, int n) {
  float* own = w + threadIdx.x;
  for (int i = 0; i < n; i += blockDim.x) own[i] -= 0.1f * g[i];
}
__global__ void train_step(float* weights, const float* inputs, int n) {
  float* layer = weights + blockIdx.x * n;
  descend(layer, inputs, n);
}
__global__ void matrix_product(float* to, const float* a, const float* b, int n) {
  float* row = to + blockIdx.x * n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[blockIdx.x * n + k] * b[k * n + threadIdx.x];
  row[threadIdx.x] = sum;
}

void train(float* weights, const float* inputs) {
  for (int step = 0; step < 10; ++step) {
    train_step<<<64, 256>>>(weights, inputs, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    printf("step %d\n", step);
  }
}

// A measurement: nothing that an iteration writes is read by the next one.
void measure(float* to, const float* a, const float* b) {
  timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int run = 0; run < 10; ++run) {
    matrix_product<<<64, 64>>>(to, a, b, 64);
    cudaDeviceSynchronize();
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("10 runs took %ld ns\n", end.tv_nsec - start.tv_nsec);
}

int main() {
  float* memory = nullptr;
  train(memory, memory + 4096);
  measure(memory, memory + 4096, memory + 8192);
}
