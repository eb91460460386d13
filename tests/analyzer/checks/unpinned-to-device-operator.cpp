// Operators of an extension: what is handed to somebody out of sight is called in each step, with a loop of its own and
// without. A function that nobody is handed and that holds a loop is a whole training.
#include <torch/torch.h>

void bind(const char* name, torch::Tensor (*function)(torch::Tensor, int));

torch::Tensor refine(torch::Tensor x, int iterations) {
  auto offsets = torch::arange(8).to(torch::kCUDA);  // expect-medium {{at each call of 'refine'}} [unpinned-to-device]
  for (int i = 0; i < iterations; ++i) {
    x = x.matmul(x);
    x = x / x.max().item<float>();  // expect-high [tensor-to-host]
  }
  return torch::cat({x, offsets});
}

torch::Tensor fit(torch::Tensor x, int iterations) {
  auto offsets = torch::arange(8).to(torch::kCUDA);
  for (int i = 0; i < iterations; ++i) {
    x = x.matmul(x);
    x = x / x.max().item<float>();  // expect-high [tensor-to-host]
  }
  return torch::cat({x, offsets});
}

void init() { bind("refine", &refine); }
