// Tensors that the host branches on.
#include <torch/torch.h>
#include <cmath>

void train(torch::nn::Linear& model, torch::optim::SGD& optimizer, torch::Tensor x, int steps) {
  torch::Device device(torch::kCUDA);
  model->to(device);
  x = x.to(device);
  double total = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = model->forward(x).square().mean();
    if (std::isnan(loss.item<float>())) throw 1;  // expect-high [branch-on-device]
    loss.backward();
    optimizer.step();
    auto norm = model->forward(x).square().mean();
    if (norm.item<float>() > 5.0f) {  // expect-high [branch-on-device]
      x = x * 0.5;
    }
    auto shown = model->forward(x).square().mean();
    total += shown.item<double>();  // expect-high [tensor-to-host]
  }
}
