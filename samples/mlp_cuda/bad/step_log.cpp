#include "bad/step_log.h"

#include <cstdio>

#include "bad/device_state.h"

namespace bad {

void StepLog::end_step(int step, float loss, const GradientSums& sums) {
  require_healthy_device();
  last_loss_ = loss;
  if (step % print_every_ == 0) {
    std::printf("step %d loss %.9g grad_sum %.9g\n", step, static_cast<double>(loss),
                static_cast<double>(sums.total_on_host()));
  }
}

}  // namespace bad
