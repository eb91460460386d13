// x.index(mask), without braces, was accepted by older versions of LibTorch. What Clang could not resolve is the same
// operation: a mask makes the host wait, indices on the host are copied.
// status: partial
#include <torch/torch.h>

torch::Tensor above(torch::Tensor values) {
  auto mask = values > 0;
  return values.index(mask);  // expect-high [tensor-to-host]
}

torch::Tensor rows(torch::Tensor values) {
  torch::Tensor order = torch::randperm(64);
  return values.index(order);  // expect-high [unpinned-to-device]
}

torch::Tensor rows_of_gpu(torch::Tensor values, torch::Tensor order) { return values.index(order); }

torch::Tensor on_host(torch::Tensor values) { return values.index(values > 0); }

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(8, 8);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::Tensor order = torch::randperm(64, torch::TensorOptions().device(device));
  torch::Tensor sums = torch::zeros({8});
  for (int step = 0; step < 1000; ++step) {
    torch::Tensor y = net->forward(torch::randn({64, 8}, device));
    torch::Tensor loss = above(y).sum() + rows(y).sum() + rows_of_gpu(y, order).sum();
    sums = sums + on_host(torch::randn({8}));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
