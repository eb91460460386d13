#include "good/result_log.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

#include <cmath>
#include <cstdio>

namespace good {

void ResultLog::record(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  const torch::Tensor norm = torch::stack(torch::_foreach_norm(gradients)).norm();
  // Its memory may be another tensor's once it is gone, but only for work that this stream does after the copies.
  const torch::Tensor pair = torch::stack({loss.detach(), norm});
  const auto* result = reinterpret_cast<const Result*>(pair.data_ptr<float>());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(results_.enqueue(result, static_cast<std::uint64_t>(step), stream));
  C10_CUDA_CHECK(guard_.read_value(&result->loss, static_cast<std::uint64_t>(step), stream));
  print_arrived();
  guard_.check(static_cast<std::uint64_t>(step));
}

// Asks the device once: after the newest value that has arrived, pop() would ask again for the one that has not.
void ResultLog::print_arrived() {
  for (auto result = results_.pop(); result; result = results_.pop()) {
    last_loss_ = result->value.loss;
    if (std::isfinite(last_loss_) && result->step % static_cast<std::uint64_t>(print_every_) == 0) {
      std::printf("step %llu loss %.9g grad_norm %.9g\n", static_cast<unsigned long long>(result->step),
                  static_cast<double>(last_loss_), static_cast<double>(result->value.norm));
    }
    if (result->step == results_.latest_step()) return;
  }
}

void ResultLog::finish(int steps) {
  C10_CUDA_CHECK(results_.drain());
  print_arrived();
  guard_.finish(static_cast<std::uint64_t>(steps));
  std::printf("final loss %.9g\n", static_cast<double>(last_loss_));
}

}  // namespace good
