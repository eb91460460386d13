// A closure that the optimizer calls, once or more a step.
#include <torch/torch.h>
#include <iostream>

int main() {
  torch::nn::Linear net(8, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto x = torch::randn({64, 8}, torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    optimizer.step([&] {
      optimizer.zero_grad();
      auto loss = net->forward(x).mean();
      loss.backward();
      std::cout << loss.item<float>();  // expect-high [tensor-to-host]
      return loss;
    });
  }
}
