// A mask whose type is asked for by options in a variable, or by another mask's options, is a mask.
#include <torch/torch.h>

torch::Tensor by_options(torch::Tensor x, torch::Tensor chosen) {
  auto options = torch::TensorOptions().dtype(torch::kBool).device(torch::kCUDA);
  torch::Tensor mask = (chosen * 2).to(options);
  return x.index({mask});  // expect-high [tensor-to-host]
}

torch::Tensor by_another(torch::Tensor x, torch::Tensor chosen) {
  auto boolean = (x > 0).options();
  torch::Tensor mask = chosen.to(boolean);
  return x.index({mask});  // expect-high [tensor-to-host]
}

torch::Tensor by_numbers(torch::Tensor x, torch::Tensor chosen) {
  auto options = torch::TensorOptions().dtype(torch::kLong).device(torch::kCUDA);
  torch::Tensor rows = chosen.to(options);
  return x.index({rows});
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(8, 8);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::Tensor chosen = torch::zeros({64}, torch::TensorOptions().device(device));
  for (int step = 0; step < 1000; ++step) {
    torch::Tensor y = net->forward(torch::randn({64, 8}, device));
    torch::Tensor loss = by_options(y, chosen).sum() + by_another(y, chosen).sum() + by_numbers(y, chosen).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
