#include "model.h"

void Meter::add(const torch::Tensor& loss) {
  auto scaled = loss * 0.5;
  sum += scaled.item<double>();  // expect-high {{waits for the GPU}} [tensor-to-host]
  // expect-path@-1 [tensor-to-host] train.cpp:8, train.cpp:10, model.cpp:22, model.cpp:13
}

Model::Model(torch::Device device) : net_(16, 1), optimizer_(net_->parameters(), 0.1) { net_->to(device); }

void Model::record(const torch::Tensor& loss) {
  auto mean = loss.mean();
  meter_.add(mean);
}

torch::Tensor Model::step(const torch::Tensor& input) {
  auto loss = net_->forward(input).square();
  optimizer_.zero_grad();
  loss.mean().backward();
  optimizer_.step();
  // Three calls away from the loop.
  record(loss);
  return loss.detach();
}
