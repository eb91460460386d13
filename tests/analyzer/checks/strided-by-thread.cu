// Each thread goes through a chunk of global memory by itself.
#include <cuda_runtime.h>

__global__ void by_product(float* out, const float* in, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < chunk; ++k) sum += in[t * chunk + k];  // expect-medium {{'in[t * chunk + k]'}} [strided-by-thread]
  out[t] = sum;
}

__global__ void by_bounds(float* data, int chunk) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t * chunk; i < (t + 1) * chunk; ++i) {
    data[i] *= 2.0f;  // expect-medium [strided-by-thread]
  }
}

// A row for each thread, by a pointer to it. The kernel is told once.
__global__ void rows(float* out, const float* in, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + row * columns;
  float* y = out + row * columns;
  float most = -1e30f;
  for (int c = 0; c < columns; c++) {
    if (x[c] > most) most = x[c];  // expect-medium [strided-by-thread] expect-evidence [strided-by-thread] {{in the same way}}
  }
  for (int c = 0; c < columns; c++) {
    y[c] = expf(x[c] - most);
  }
}

constexpr int kChunk = 64;
__global__ void of_constant_size(float* out, const float* in) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < kChunk; ++k) sum += in[t * kChunk + k];  // expect-medium {{256 bytes apart}} [strided-by-thread]
  out[t] = sum;
}

// In a step of training: high.
__global__ void in_training(float* out, const float* in, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < chunk; ++k) out[t] += in[t * chunk + k];  // expect-high [strided-by-thread]
}
void train(float* x, float* y, int steps) {
  for (int step = 0; step < steps; ++step) in_training<<<8, 256>>>(x, y, 100);
}

// What is told is the access that does it: the one that is read is found by data.
__global__ void embed(float4* out, const float4* table, const int* tokens, int rows, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  int batch = i / 128, position = i % 128;
  float4* to = out + batch * 128 * width + position * width;
  const float4* from = table + tokens[batch * 128 + position] * width;
  for (int k = 0; k < width; ++k) to[k] = from[k];  // expect-medium {{'to[k]'}} [strided-by-thread]
}
