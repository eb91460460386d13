#include "common/cuda_check.h"
#include "common/optimizer.h"

namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = 1024;

__global__ void sgd_kernel(float* values, float* momenta, const float* gradients, unsigned long long count,
                           const float* loss) {
  if (loss != nullptr && !isfinite(*loss)) return;
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float momentum = kMomentum * momenta[i] + gradients[i];
    momenta[i] = momentum;
    values[i] -= kLearningRate * momentum;
  }
}

}  // namespace

void sgd_step(Parameters& parameters, const float* loss, cudaStream_t stream) {
  sgd_kernel<<<kBlocks, kThreads, 0, stream>>>(parameters.values(), parameters.momenta(), parameters.gradients(),
                                               parameters.total(), loss);
  CUDA_CHECK(cudaGetLastError());
}
