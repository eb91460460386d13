#include "bad/step.h"

#include <cstdio>

#include "bad/monitor.h"

namespace bad {
namespace {

Monitor& monitor() {
  static Monitor instance(kPrintEvery);
  return instance;
}

}  // namespace

bool train_step(Mlp& model, torch::optim::Optimizer& optimizer, const Batch& batch, torch::Device device, int step) {
  const torch::Tensor input = batch.input.to(device);
  const torch::Tensor target = batch.target.to(device);
  optimizer.zero_grad();
  const torch::Tensor loss = torch::nn::functional::cross_entropy(model->forward(input), target);
  if (torch::isnan(loss).item<bool>()) {
    std::printf("step %d loss is NaN\n", step);
    return false;
  }
  loss.backward();
  optimizer.step();
  monitor().observe(step, loss, model->parameters());
  return true;
}

double last_loss() { return monitor().last_loss(); }

}  // namespace bad
