// Prints losses and gradient norms some steps late, as they arrive, and stops the run at a loss that is not finite;
// nothing waits.
#pragma once

#include <syncsniff/nan_guard.h>
#include <syncsniff/readback.h>
#include <torch/torch.h>

#include <vector>

namespace good {

class ResultLog {
 public:
  explicit ResultLog(int print_every) : print_every_(print_every), results_(kSlots) {}

  // Enqueues, with one launch for all norms, and prints what has arrived of earlier steps.
  // Throws syncsniff::NonFiniteError when it hears of a loss that is not finite.
  void record(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters);
  // Waits for the rest and prints it; throws as record() does. For the end of the run.
  void finish(int steps);

 private:
  struct Result {
    float loss, norm;
  };
  static constexpr std::size_t kSlots = 64;  // more steps than the launch queue lets the host be ahead

  void print_arrived();

  int print_every_;
  syncsniff::DeferredScalar<Result> results_;
  syncsniff::NanGuard guard_{kSlots / 2};
  float last_loss_ = 0.0f;
};

}  // namespace good
