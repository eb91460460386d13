// LibTorch's own waits are waits; two streams' waits do not cover each other.
#include <torch/torch.h>

namespace c10::cuda {
class CUDAStream {
 public:
  void synchronize() const;
};
}  // namespace c10::cuda

void train(torch::nn::Linear& net, torch::Tensor x, int steps, c10::cuda::CUDAStream a, c10::cuda::CUDAStream b) {
  net->to(torch::kCUDA);
  x = x.to(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto y = net->forward(x);
    y.backward();
    torch::cuda::synchronize();  // expect-high [sync-in-loop]
    auto z = net->forward(x);
    a.synchronize();  // expect-high [sync-in-loop]
    b.synchronize();  // expect-high [sync-in-loop]
  }
}
