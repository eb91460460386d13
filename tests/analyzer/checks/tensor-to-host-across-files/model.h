#pragma once
#include <torch/torch.h>

struct Meter {
  double sum = 0;
  void add(const torch::Tensor& loss);
};

class Model {
 public:
  explicit Model(torch::Device device);
  torch::Tensor step(const torch::Tensor& input);
  const Meter& meter() const { return meter_; }

 private:
  void record(const torch::Tensor& loss);
  torch::nn::Linear net_;
  torch::optim::SGD optimizer_;
  Meter meter_;
};
