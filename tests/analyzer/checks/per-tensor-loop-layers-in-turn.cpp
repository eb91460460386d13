// Layers that work on what the layer before them gave back: no launch can do them all. Four of them on tensors of their
// own: one launch can.
#include <torch/torch.h>

using Tensor = torch::Tensor;

Tensor scaled(const Tensor& x) { return torch::relu(x * 2); }

Tensor eight_in_turn(const Tensor& x) {
  auto a = scaled(x);
  auto b = scaled(a);
  auto c = scaled(b.view({64, 64}));
  auto d = scaled(c);
  auto e = scaled(scaled(d));
  return scaled(e);
}

Tensor one_variable_in_turn(Tensor x) {
  x = scaled(x);
  x = scaled(x);
  x = scaled(x);
  x = scaled(x);
  return x;
}

Tensor four_beside_each_other(const Tensor& x, const Tensor& y, const Tensor& z, const Tensor& w) {
  auto a = scaled(x);  // expect-medium {{these 4 launches ('scaled')}} [per-tensor-loop]
  auto b = scaled(y);
  auto c = scaled(z);
  auto d = scaled(w);
  return torch::cat({a, b, c, d});
}

void infer(int steps) {
  torch::Device device(torch::kCUDA);
  torch::NoGradGuard no_grad;
  auto x = torch::randn({64, 64}, device);
  for (int step = 0; step < steps; ++step) {
    x = eight_in_turn(x);
    x = one_variable_in_turn(x);
    x = four_beside_each_other(x, torch::randn({64, 64}, device), torch::ones({64, 64}, device), torch::zeros({64, 64}, device));
  }
}
