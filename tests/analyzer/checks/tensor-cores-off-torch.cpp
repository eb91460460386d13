// level: 2
// LibTorch's products of floats: told once a program.
#include <torch/torch.h>

void train(torch::Tensor w, int steps) {
  torch::Device device(torch::kCUDA);
  w = w.to(device);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 128}, device);
    auto y = x.matmul(w);  // expect-high {{LibTorch}} [tensor-cores-off]
    auto z = y.matmul(w);
    z.sum().backward();
  }
}
