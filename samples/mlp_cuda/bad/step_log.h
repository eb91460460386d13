// Keeps the losses and prints some of them.
#pragma once

#include "bad/gradient_sums.h"

namespace bad {

class StepLog {
 public:
  explicit StepLog(int print_every) : print_every_(print_every) {}
  void end_step(int step, float loss, const GradientSums& sums);
  float last_loss() const { return last_loss_; }

 private:
  int print_every_;
  float last_loss_ = 0.0f;
};

}  // namespace bad
