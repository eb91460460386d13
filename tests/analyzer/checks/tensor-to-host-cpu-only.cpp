// A program that never says CUDA has no GPU to wait for.
#include <torch/torch.h>
#include <iostream>

int main() {
  torch::nn::Linear net(8, 1);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    auto x = torch::randn({64, 8});
    auto loss = net->forward(x).square().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << "\n";
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
  }
}
