// What runs in every iteration of the loop that trains is told as such, whatever it is called. Behind a condition, and
// between two epochs, a name still says that a model is checked.
#include <torch/torch.h>

struct Policy {
  torch::Tensor evaluate_actions(const torch::Tensor& x) {
    auto logits = net->forward(x);
    total += logits.sum().item<double>();  // expect-high [tensor-to-host]
    return log_prob(logits);
  }
  torch::Tensor log_prob(const torch::Tensor& x) {
    total += x.mean().item<double>();  // expect-high [tensor-to-host]
    return x.matmul(x);
  }
  void evaluate_now_and_then(const torch::Tensor& x) {
    total += net->forward(x).sum().item<double>();  // expect-medium [tensor-to-host]
  }
  void evaluate_epoch(const torch::Tensor& x) {
    total += net->forward(x).sum().item<double>();  // expect-medium [tensor-to-host]
  }
  torch::nn::Linear net{8, 8};
  double total = 0;
};

void train(Policy& policy, torch::optim::Adam& o, int epochs, int steps, bool checks) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int step = 0; step < steps; ++step) {
      policy.evaluate_actions(x).sum().backward();
      o.step();
      if (checks) policy.evaluate_now_and_then(x);
    }
    policy.evaluate_epoch(x);
  }
}

// Gradients are accumulated: nobody knows over how many batches, but the parameters are updated there.
double accumulates(torch::nn::Linear net, torch::optim::Adam& optimizer, int steps, int accumulated, int period) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  double total = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(x).sum();
    loss.backward();
    if ((step + 1) % accumulated == 0) {
      optimizer.step();
      total += loss.item<double>();  // expect-medium [tensor-to-host]
    }
    if (step % period == 0) total += loss.item<double>();  // expect-low [tensor-to-host]
  }
  return total;
}
