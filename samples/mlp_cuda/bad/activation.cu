// Three kernels where one would do: each reads and writes the whole of x.
#include "common/activation.h"
#include "common/cuda_check.h"

namespace {

constexpr int kThreads = 256;

__global__ void add_bias_kernel(float* x, const float* bias, int rows, int columns) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * columns) x[i] += bias[i % columns];
}

__global__ void tanh_kernel(float* x, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) x[i] = tanhf(x[i]);
}

__global__ void scale_kernel(float* x, float factor, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) x[i] *= factor;
}

}  // namespace

void activate(float* x, const float* bias, int rows, int columns, cudaStream_t stream) {
  const int count = rows * columns;
  const int blocks = (count + kThreads - 1) / kThreads;
  add_bias_kernel<<<blocks, kThreads, 0, stream>>>(x, bias, rows, columns);
  tanh_kernel<<<blocks, kThreads, 0, stream>>>(x, count);
  scale_kernel<<<blocks, kThreads, 0, stream>>>(x, kActivationScale, count);
  CUDA_CHECK(cudaGetLastError());
}
