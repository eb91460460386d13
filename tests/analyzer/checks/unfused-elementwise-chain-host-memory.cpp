// Rewards that a simulator hands over stay on the CPU, whatever they are divided by; observations go to the GPU.
#include <torch/torch.h>

#include <vector>

struct Statistics {
  torch::Tensor variance() const { return variance_; }
  void update(torch::Tensor x) { variance_ = variance_ * 0.9 + x.mean() * 0.1; }
  torch::Tensor variance_;
};

std::vector<float> simulate();

int main() {
  torch::nn::Linear policy(16, 4);
  policy->to(torch::kCUDA);
  Statistics of_returns;
  for (int i = 0; i < 10000; ++i) {
    std::vector<float> rewards = simulate(), seen = simulate();
    torch::Tensor reward = torch::from_blob(rewards.data(), {16}, torch::kFloat);
    of_returns.update(reward);
    reward = torch::clamp(reward / torch::sqrt(of_returns.variance() + 1e-8), -10, 10);
    torch::Tensor x = torch::from_blob(seen.data(), {16}, torch::kFloat).to(torch::kCUDA);  // expect-high [unpinned-to-device]
    x = torch::clamp(x / torch::sqrt(of_returns.variance() + 1e-8), -10, 10);  // expect-high [unfused-elementwise-chain]
    policy->forward(x).sum().backward();
  }
}
