#include <vector>

#include "bad/gradient_sums.h"
#include "bad/timed_wait.h"

namespace bad {

namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 128;

__device__ float block_sum(float mine) {
  __shared__ float partial[kThreads];
  partial[threadIdx.x] = mine;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    __syncthreads();
  }
  return partial[0];
}

__global__ void partial_sums_kernel(const float* values, unsigned long long count, float* partials) {
  float mine = 0.0f;
  for (unsigned long long i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kBlocks * kThreads)
    mine += values[i];
  const float sum = block_sum(mine);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

__global__ void final_sum_kernel(const float* partials, float* sum) {
  const float whole = block_sum(threadIdx.x < kBlocks ? partials[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) *sum = whole;
}

}  // namespace

GradientSums::GradientSums(Parameters& parameters)
    : parameters_(parameters), partials_(kBlocks), sums_(parameters.slices().size()) {}

void GradientSums::launch(cudaStream_t stream) {
  const auto& slices = parameters_.slices();
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const float* gradient = parameters_.gradients() + slices[i].offset;
    partial_sums_kernel<<<kBlocks, kThreads, 0, stream>>>(gradient, slices[i].elements, partials_.data());
    final_sum_kernel<<<1, kThreads, 0, stream>>>(partials_.data(), sums_.data() + i);
  }
  CUDA_CHECK(cudaGetLastError());
}

float GradientSums::total_on_host() const {
  std::vector<float> sums(sums_.count());
  TIMED_WAIT(cudaMemcpy(sums.data(), sums_.data(), sums.size() * sizeof(float), cudaMemcpyDeviceToHost));
  float total = 0.0f;
  for (float sum : sums) total += sum;
  return total;
}

}  // namespace bad
