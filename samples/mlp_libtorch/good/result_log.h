// Keeps losses and gradient norms on the device and reads them once, at the end.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace good {

class ResultLog {
 public:
  ResultLog(int steps, int print_every, torch::Device device);

  // Enqueues; one launch for all norms.
  void record(int step, const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters);
  // Reads everything back and prints it; false when a loss was NaN.
  bool print() const;

 private:
  int print_every_;
  torch::Tensor losses_, norms_;  // [steps], on the device
};

}  // namespace good
