// A recurrence over the rows of a rollout is gone through as often as there are steps, though it is called once an update
// and computes no gradients. A loop that runs the network on its rows checks it; one over layers has no rows.
#include <torch/torch.h>

#include <vector>

torch::Tensor advantages(const torch::Tensor& rewards, torch::Tensor values, int steps) {
  torch::NoGradGuard no_grad;
  auto last = torch::zeros({8}, torch::kCUDA);
  for (int t = steps - 1; t >= 0; --t) {
    auto delta = rewards[t] + values[t] * 0.99 - values[t];  // expect-high [unfused-elementwise-chain]
    last = delta + last * 0.95;
    values[t] = last;
  }
  return values;
}

torch::Tensor error(torch::nn::Linear& net, const torch::Tensor& x, const torch::Tensor& y, int rows) {
  torch::NoGradGuard no_grad;
  auto total = torch::zeros({8}, torch::kCUDA);
  for (int row = 0; row < rows; ++row) {
    auto away = net->forward(x[row]) - y[row];  // expect-medium [unfused-elementwise-chain]
    total = total + away * away * 0.5;
  }
  return total;
}

torch::Tensor through(std::vector<torch::nn::Linear>& layers, torch::Tensor x, int count) {
  for (int i = 0; i < count; ++i) {
    auto y = layers[i]->forward(x);
    x = y * 0.5 + y * y;  // expect-medium [unfused-elementwise-chain]
  }
  return x;
}

void train(torch::nn::Linear net, std::vector<torch::nn::Linear>& layers, torch::optim::Adam& o, int updates, int steps) {
  auto r = torch::rand({128, 8}, torch::kCUDA), v = torch::rand({128, 8}, torch::kCUDA);
  for (int update = 0; update < updates; ++update) {
    auto a = advantages(r, v, steps);
    for (int start = 0; start < 128; start += 32) {
      net->forward(a).sum().backward();
      o.step();
    }
    error(net, r, v, steps);
    through(layers, r, 3);
  }
}
