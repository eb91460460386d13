#include <torch/torch.h>

int main() {
  const torch::Device device(torch::kCUDA);
  torch::nn::Linear net(16, 1);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(torch::randn({64, 16}, device)).square().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
