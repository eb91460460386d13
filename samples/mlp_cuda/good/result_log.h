// Prints the results of steps some steps late: they travel to pinned memory behind the work, and nothing waits.
#pragma once

#include <cuda_runtime.h>
#include <syncsniff/readback.h>

#include "common/loss.h"

namespace good {

class ResultLog {
 public:
  explicit ResultLog(int print_every) : results_(kSlots), print_every_(print_every) {}

  // Enqueues the read-back of this step's result, and prints what earlier steps have meanwhile delivered. A loss that
  // is not finite, and what comes after it, is not printed: to tell of that is the guard's affair.
  void push(int step, const StepResult* device_result, cudaStream_t stream);
  // Waits for the rest and prints it: for the end of the run.
  void finish();
  float last_loss() const { return last_loss_; }

 private:
  // The host may get so many steps ahead of the device before a result is left out. The launch queue holds it back
  // sooner.
  static constexpr std::size_t kSlots = 64;

  void print_arrived();
  void print(const syncsniff::StepValue<StepResult>& result);

  syncsniff::DeferredScalar<StepResult> results_;
  int print_every_;
  bool healthy_ = true;
  float last_loss_ = 0.0f;
};

}  // namespace good
