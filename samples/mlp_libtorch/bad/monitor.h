// Watches the loss and the gradients, and prints them now and then. Each look waits for the GPU: ../good trains
// without.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace bad {

class Monitor {
 public:
  explicit Monitor(int print_every) : print_every_(print_every) {}
  void observe(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters);
  double last_loss() const { return last_loss_; }

 private:
  int print_every_;
  double last_loss_ = 0.0;
};

}  // namespace bad
