// A PyTorch extension: what it binds is called from Python, for each batch.
#include <torch/torch.h>

torch::Tensor normalise(torch::Tensor x) {
  auto y = x.to(torch::kCUDA).matmul(x);
  auto top = y.max().item<float>();  // expect-medium {{at each call of 'normalise', whose callers are outside the checked code}} [tensor-to-host]
  return y / top;
}

struct ScaledImpl : torch::nn::Module {
  torch::nn::Linear linear{nullptr};
  ScaledImpl() {
    linear = register_module("linear", torch::nn::Linear(4, 4));
    linear->to(torch::kCUDA);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = linear->forward(x.to(torch::kCUDA)).square();
    if (y.sum().item<float>() > 1) y = y / 2;  // expect-medium [branch-on-device]
    return y;
  }
};

// Trains in a loop of its own; the mean at its end is asked for once.
float fit(torch::nn::Linear net, torch::optim::SGD& optimizer, torch::Tensor x, int steps) {
  torch::Tensor total = torch::zeros({1}, torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    auto loss = net->forward(x).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return total.item<float>();
}
