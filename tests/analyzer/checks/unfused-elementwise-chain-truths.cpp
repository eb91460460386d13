// Truth values that become numbers: a kernel of its own. A tensor that may already have the type may cost nothing.
#include <torch/torch.h>

using Tensor = torch::Tensor;

Tensor accuracy(const Tensor& x, const Tensor& y) {
  auto right = (x == 1.0).to(torch::kFloat);  // expect-high {{2 pointwise operations in a row}} [unfused-elementwise-chain]
  return right.sum() + y.norm();
}

Tensor as_other(const Tensor& x, const Tensor& y) {
  auto odds = torch::sigmoid(x);  // expect-high {{3 pointwise operations in a row}} [unfused-elementwise-chain]
  auto right = (odds == 0.5).to(y.dtype());
  return right.sum() + y.norm();
}

Tensor already(const Tensor& x, const Tensor& y) {
  auto same = (x * y).to(torch::kFloat);
  return same.sum().norm();
}

void run(int steps) {
  const torch::Device device(torch::kCUDA);
  auto x = torch::randn({64, 64}, device);
  for (int step = 0; step < steps; ++step) {
    auto a = accuracy(x, x);
    auto b = already(x, x);
    auto c = as_other(x, x);
    x = torch::randn({64, 64}, device);
  }
}
