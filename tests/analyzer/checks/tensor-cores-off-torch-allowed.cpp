// level: 2
// The program says what its products of floats are computed in.
#include <torch/torch.h>

void train(torch::Tensor w, int steps) {
  at::globalContext().setAllowTF32CuBLAS(true);
  torch::Device device(torch::kCUDA);
  w = w.to(device);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 128}, device);
    auto y = x.matmul(w);
    y.sum().backward();
  }
}
