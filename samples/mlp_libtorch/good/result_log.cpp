#include "good/result_log.h"

#include <cmath>
#include <cstdio>

namespace good {

ResultLog::ResultLog(int steps, int print_every, torch::Device device)
    : print_every_(print_every),
      losses_(torch::zeros({steps}, torch::TensorOptions().device(device))),
      norms_(torch::zeros({steps}, torch::TensorOptions().device(device))) {}

void ResultLog::record(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters) {
  std::vector<torch::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  losses_.select(0, step).copy_(loss.detach());
  norms_.select(0, step).copy_(torch::stack(torch::_foreach_norm(gradients)).norm());
}

bool ResultLog::print() const {
  const torch::Tensor losses = losses_.cpu(), norms = norms_.cpu();
  const auto loss = losses.accessor<float, 1>(), norm = norms.accessor<float, 1>();
  for (int64_t step = 0; step < loss.size(0); ++step) {
    if (std::isnan(loss[step])) {
      std::printf("step %d loss is NaN\n", static_cast<int>(step));
      return false;
    }
    if (step % print_every_ == 0) {
      std::printf("step %d loss %.9g grad_norm %.9g\n", static_cast<int>(step), static_cast<double>(loss[step]),
                  static_cast<double>(norm[step]));
    }
  }
  std::printf("final loss %.9g\n", static_cast<double>(loss[loss.size(0) - 1]));
  return true;
}

}  // namespace good
