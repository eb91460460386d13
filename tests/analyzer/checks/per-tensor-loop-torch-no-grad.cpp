// An optimizer that is written by hand runs in each step, although no gradients are computed there.
#include <torch/torch.h>

void train(torch::nn::Linear& net, torch::nn::Linear& average, torch::Tensor x, int steps) {
  net->to(torch::kCUDA);
  average->to(torch::kCUDA);
  x = x.to(torch::kCUDA);
  double checked = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(x).mean();
    net->zero_grad();
    loss.backward();
    {
      torch::NoGradGuard guard;
      for (auto& p : net->parameters())  // expect-high {{in every iteration}} [per-tensor-loop]
        p += p.grad();
    }
    {
      torch::NoGradGuard guard;
      for (int i = 0; i < 10; ++i) checked += average->forward(x).mean().item<double>();  // expect-medium [tensor-to-host]
    }
  }
}
