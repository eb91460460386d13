// Kernels in which each block goes through a row, or each thread through a column, are elementwise, too. They are not
// if what a thread has read in one iteration changes what it writes in another.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* out, int columns) {
  int row = blockIdx.x;
  int column = threadIdx.x;
  while (column < columns) {
    out[row * columns + column] = a[row * columns + column] * b[row * columns + column];
    column += blockDim.x;
  }
}
__global__ void add(const float* a, float* out, int columns, int step) {
  for (int column = threadIdx.x; column < columns; column += step)
    out[blockIdx.x * columns + column] += a[blockIdx.x * columns + column];
}
__global__ void decay(float* out, float by, int columns) {
  for (int column = threadIdx.x; column < columns; column += 256) {
    const int at = blockIdx.x * columns + column;
    float old = out[at];
    old *= by;
    out[at] = old;
  }
}
// Divides each column by its sum.
__global__ void normalise(float* out, int count, int columns) {
  float sum = 0;
  for (int at = threadIdx.x; at < count; at += columns) sum += out[at];
  for (int at = threadIdx.x; at < count; at += columns) out[at] /= sum;
}
// The largest of each thread's elements, and what they are beside it.
__global__ void beside_largest(const float* a, float* out, int columns) {
  float largest = 0;
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    largest = fmaxf(largest, a[blockIdx.x * columns + column]);
  for (int column = threadIdx.x; column < columns; column += blockDim.x)
    out[blockIdx.x * columns + column] = a[blockIdx.x * columns + column] - largest;
}

int main() {
  const int rows = 4096, columns = 1024;
  float *gradient, *rate, *momentum, *weights, *sums;
  cudaMalloc(&gradient, sizeof(float) * rows * columns);
  cudaMalloc(&rate, sizeof(float) * rows * columns);
  cudaMalloc(&momentum, sizeof(float) * rows * columns);
  cudaMalloc(&weights, sizeof(float) * rows * columns);
  cudaMalloc(&sums, sizeof(float) * rows * columns);
  for (int step = 0; step < 1000; ++step) {
    multiply<<<rows, 256>>>(gradient, rate, gradient, columns);  // expect-high [unfused-elementwise-chain]
    decay<<<rows, 256>>>(momentum, 0.9f, columns);
    add<<<rows, 256>>>(gradient, momentum, columns, 256);
    add<<<rows, 256>>>(momentum, weights, columns, 256);
  }
  for (int step = 0; step < 1000; ++step) {
    normalise<<<1, 1024>>>(weights, rows * columns, columns);
    normalise<<<1, 1024>>>(weights, rows * columns, columns);
    beside_largest<<<rows, 256>>>(weights, sums, columns);
    beside_largest<<<rows, 256>>>(sums, weights, columns);
  }
}
