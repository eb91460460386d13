// A number that a kernel writes to managed memory: the wait behind the kernel is there so that the host can read it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void advance(float* x, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (x[i] = x[i] * x[i] - .5f) > 1) atomicAdd(count, 1);
}

void prints_each(float* x, int n, int steps) {
  int* count;
  cudaMallocManaged(&count, sizeof(int));
  for (int step = 0; step < steps; ++step) {
    advance<<<(n + 255) / 256, 256>>>(x, count, n);
    cudaDeviceSynchronize();  // expect-high [scalar-readback] {{managed memory}}
    printf("%d\n", *count);
  }
}

void stops_at(float* x, int n, int steps) {
  int* count;
  cudaMallocManaged(&count, sizeof(int));
  for (int step = 0; step < steps; ++step) {
    advance<<<(n + 255) / 256, 256>>>(x, count, n);
    cudaDeviceSynchronize();  // expect-low [branch-on-device] {{if (*count > 0)}}
    if (*count > 0) break;
  }
}

__global__ void halve(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= .5f;
}

void decides(float* x, int n, int steps) {
  int* count;
  cudaMallocManaged(&count, sizeof(int));
  for (int step = 0; step < steps; ++step) {
    advance<<<(n + 255) / 256, 256>>>(x, count, n);
    cudaDeviceSynchronize();  // expect-high [branch-on-device]
    if (*count > n / 2) halve<<<(n + 255) / 256, 256>>>(x, n);
  }
}

// The wait and the read are in a function that a loop calls.
int count_large(float* x, int* count, int n) {
  advance<<<(n + 255) / 256, 256>>>(x, count, n);
  cudaDeviceSynchronize();  // expect-high [scalar-readback] {{managed memory}}
  return *count;
}

void counts_each(float* x, int n, int steps) {
  int* count;
  cudaMallocManaged(&count, sizeof(int));
  for (int step = 0; step < steps; ++step) {
    halve<<<(n + 255) / 256, 256>>>(x, n);
    printf("%d\n", count_large(x, count, n));
  }
}

// The host works on the array as well: it has to wait in any case.
float sums_up(float* x, int n, int steps) {
  int* count;
  float* managed;
  float sum = 0;
  cudaMallocManaged(&count, sizeof(int));
  cudaMallocManaged(&managed, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    advance<<<(n + 255) / 256, 256>>>(managed, count, n);
    cudaDeviceSynchronize();
    sum += *count;
    for (int i = 0; i < n; ++i) sum += managed[i];
  }
  return sum;
}

// No kernel writes the number.
void host_only(float* managed, int n, int steps) {
  int* limit;
  cudaMallocManaged(&limit, sizeof(int));
  cudaMallocManaged(&managed, n * sizeof(float));
  *limit = 5;
  for (int step = 0; step < steps; ++step) {
    halve<<<(n + 255) / 256, 256>>>(managed, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < *limit; ++i) managed[i] = 0;
  }
}

int main(int argc, char**) {
  float* x;
  cudaMalloc(&x, 1 << 22);
  prints_each(x, 1 << 20, argc * 1000);
  stops_at(x, 1 << 20, argc * 1000);
  decides(x, 1 << 20, argc * 1000);
  sums_up(x, 1 << 20, argc * 1000);
  host_only(x, 1 << 20, argc * 1000);
}
