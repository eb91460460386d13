#include "common/cuda_check.h"
#include "common/loss.h"

namespace {

constexpr int kThreads = 256;

// A thread a row: ten classes do not feed more.
__global__ void softmax_kernel(const float* logits, const int* labels, float* gradients, float* row_losses, int rows,
                               int classes) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const float* x = logits + row * classes;
  float largest = x[0];
  // syncsniff: allow(strided-by-thread) a row of ten classes is one or two sectors
  for (int i = 1; i < classes; ++i) largest = fmaxf(largest, x[i]);
  float sum = 0.0f;
  for (int i = 0; i < classes; ++i) sum += expf(x[i] - largest);
  const int label = labels[row];
  for (int i = 0; i < classes; ++i) {
    const float probability = expf(x[i] - largest) / sum;
    gradients[row * classes + i] = (probability - (i == label ? 1.0f : 0.0f)) / static_cast<float>(rows);
  }
  row_losses[row] = logf(sum) - (x[label] - largest);
}

// One block, in an order that thread numbers fix: the same bits every time.
__global__ void mean_kernel(const float* values, float* mean, int count, bool plant_nan) {
  __shared__ float partial[kThreads];
  float sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) sum += values[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) *mean = plant_nan ? nanf("") : partial[0] / static_cast<float>(count);
}

}  // namespace

void SoftmaxLoss::launch(const float* logits, const int* labels, float* gradients, float* loss, int classes,
                         cudaStream_t stream) {
  softmax_kernel<<<(batch_ + kThreads - 1) / kThreads, kThreads, 0, stream>>>(logits, labels, gradients,
                                                                              row_losses_.data(), batch_, classes);
  mean_kernel<<<1, kThreads, 0, stream>>>(row_losses_.data(), loss, batch_, launches_++ == nan_at_);
  CUDA_CHECK(cudaGetLastError());
}
