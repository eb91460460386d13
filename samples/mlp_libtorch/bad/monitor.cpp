#include "bad/monitor.h"

#include <cmath>
#include <cstdio>

#include "bad/scalars.h"

namespace bad {

void Monitor::observe(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters) {
  double square = 0.0;
  for (const torch::Tensor& parameter : parameters) {
    const double norm = to_number(parameter.grad().norm());
    square += norm * norm;
  }
  last_loss_ = to_number(loss);
  if (step % print_every_ == 0) std::printf("step %d loss %.9g grad_norm %.9g\n", step, last_loss_, std::sqrt(square));
}

}  // namespace bad
