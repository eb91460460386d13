// Kernels that part an index into row and column and put it together again, that multiply by __mul24, or that pick one of
// two places: each thread has its own element.
#include <cuda_runtime.h>

__global__ void scale_rows(float* to, const float* from, const float* by, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns, column = i % columns;
  if (row < rows) to[row * columns + column] = from[i] * by[row];
}
__global__ void most(float* data, float limit, int n) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i < n) data[i] = data[i] > limit ? limit : data[i];
}
__global__ void transpose(float* to, const float* from, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns, column = i % columns;
  if (row < rows) to[column * rows + row] = from[row * columns + column];
}
__global__ void repeat(float* to, const float* from, int columns, int period, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns, column = i % period;
  if (i < n) to[i] = from[row * columns + column];
}
__global__ void images(float* to, const float* from, int channels, int size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int inside = i % size, channel = i / size % channels, image = i / size / channels;
  to[(image * channels + channel) * size + inside] = from[i] + 1;
}

int main() {
  float *a = nullptr, *b = nullptr, *by = nullptr;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&by, 4096);
  for (int step = 0; step < 10000; ++step) {
    scale_rows<<<4, 256>>>(b, a, by, 32, 32);  // expect-high [unfused-elementwise-chain] {{2 elementwise kernels}}
    most<<<4, 256>>>(b, 1.0f, 1024);
    // Threads read what others have written: no chains.
    transpose<<<4, 256>>>(a, b, 32, 32);
    most<<<4, 256>>>(a, 1.0f, 1024);
    repeat<<<4, 256>>>(b, a, 32, 16, 1024);
    transpose<<<4, 256>>>(a, b, 32, 32);
    images<<<4, 256>>>(b, a, 4, 64, 1024);  // expect-high [unfused-elementwise-chain] {{2 elementwise kernels}}
    most<<<4, 256>>>(b, 1.0f, 1024);
    repeat<<<4, 256>>>(a, b, 32, 16, 1024);
  }
}
