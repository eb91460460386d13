// A loop that takes the time of a trained network is a timing harness; in the loop that trains, such a wait costs a step.
#include <torch/torch.h>

#include <chrono>
#include <iostream>

using Clock = std::chrono::system_clock;

void train(torch::nn::Linear& net, torch::optim::Adam& o, const torch::Tensor& x) {
  for (int step = 0; step < 1000; ++step) {
    torch::cuda::synchronize();  // expect-low [sync-in-loop]
    const auto start = Clock::now();
    net->forward(x).sum().backward();
    o.step();
    torch::cuda::synchronize();  // expect-low [sync-in-loop]
    std::cout << std::chrono::duration<double>(Clock::now() - start).count();
  }
}

void check(torch::nn::Linear& net, const torch::Tensor& x) {
  for (int batch = 0; batch < 1000; ++batch) {
    torch::cuda::synchronize();
    const auto start = Clock::now();
    net->forward(x);
    torch::cuda::synchronize();
    std::cout << std::chrono::duration<double>(Clock::now() - start).count();
  }
}

int main() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  torch::optim::Adam o(net->parameters(), 0.1);
  auto x = torch::rand({64, 8}, torch::kCUDA);
  train(net, o, x);
  check(net, x);
}
