// Asking whether there is a GPU, or naming it where that is never reached, uses none.
#include <torch/torch.h>
#include <iostream>

const bool use_cuda = false;

int main() {
  std::cout << torch::cuda::is_available() << " cuda devices\n";
  const torch::Device device = use_cuda ? torch::kCUDA : torch::kCPU;
  torch::nn::Linear net(8, 1);
  net->to(device);
  if (use_cuda) net->to(torch::Device("cuda:1"));
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(torch::randn({64, 8})).square().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>() << "\n";
  }
}
