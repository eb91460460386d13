// A kernel over a whole tensor and one over a part of it go through different elements.
#include <torch/torch.h>

torch::Tensor of_one_element(torch::Tensor p, torch::Tensor reward) { return -(p.exp()[0] * reward); }
torch::Tensor of_a_row(torch::Tensor p, torch::Tensor reward) { return p.exp().slice(0, 2, 3) * reward; }
torch::Tensor of_all(torch::Tensor p, torch::Tensor reward) {
  return -(p.exp().view({-1}) * reward);  // expect-high [unfused-elementwise-chain]
}

int main() {
  torch::nn::Linear net(8, 4);
  net->to(torch::kCUDA);
  auto x = torch::randn({64, 8}, torch::kCUDA), reward = torch::randn({64, 4}, torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    auto p = net->forward(x);
    of_one_element(p, reward);
    of_a_row(p, reward);
    of_all(p, reward);
  }
}
