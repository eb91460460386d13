#include "good/step.h"

namespace good {

void train_step(Mlp& model, torch::optim::Optimizer& optimizer, const Batch& batch, torch::Device device, int step,
                ResultLog& log) {
  const torch::Tensor input = batch.input.to(device, /*non_blocking=*/true);
  const torch::Tensor target = batch.target.to(device, /*non_blocking=*/true);
  optimizer.zero_grad();
  const torch::Tensor loss = torch::nn::functional::cross_entropy(model->forward(input), target);
  loss.backward();
  optimizer.step();
  log.record(step, loss, model->parameters());
}

}  // namespace good
