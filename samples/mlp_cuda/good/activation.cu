// One kernel: x is read once and written once.
#include "common/activation.h"
#include "common/cuda_check.h"

namespace {

constexpr int kThreads = 256;

__global__ void bias_tanh_scale_kernel(float* x, const float* bias, int rows, int columns) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * columns) x[i] = kActivationScale * tanhf(x[i] + bias[i % columns]);
}

}  // namespace

void activate(float* x, const float* bias, int rows, int columns, cudaStream_t stream) {
  const int blocks = (rows * columns + kThreads - 1) / kThreads;
  bias_tanh_scale_kernel<<<blocks, kThreads, 0, stream>>>(x, bias, rows, columns);
  CUDA_CHECK(cudaGetLastError());
}
