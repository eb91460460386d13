// A write to a part of a tensor stands between two operations on all of it: they are no chain.
#include <torch/torch.h>

void train(torch::Tensor g, int steps) {
  auto w = torch::rand({8, 8}, torch::kCUDA);
  g = g.to(torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    w.mul_(0.9);
    w.add_(g);
    w[0] = 0.f;
    auto m = w > 1;
    g = g.matmul(m);
  }
  for (int i = 0; i < steps; ++i) {
    w.mul_(0.9);  // expect-high {{3 pointwise operations}} [unfused-elementwise-chain]
    w.add_(g);
    auto m = w > 1;
    g = g.matmul(m);
    w[0] = 0.f;
  }
}
