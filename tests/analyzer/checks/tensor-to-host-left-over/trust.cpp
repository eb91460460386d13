// An optimizer of the project that its main() does not make, in a file that names no device. The project's tensors are
// on the GPU, so this one's parameters will be. Its formula is long; it is an update of each parameter all the same.
#include <torch/torch.h>
#include <vector>

struct Trust : torch::optim::Optimizer {
  using Optimizer::Optimizer;
  void step() override {
    torch::NoGradGuard no_grad;
    for (auto& p : parameters_) {  // expect-low {{for each element of 'parameters_'}} [per-tensor-loop]
      if (!p.grad().defined()) continue;
      auto update = p.grad().matmul(p);
      update = torch::log_softmax(update, 0);
      update = update.matmul(p);
      update = torch::log_softmax(update, 0);
      auto size = update.norm();
      if (size.item<double>() > 1.0) update = update.matmul(p);  // expect-medium {{branches}} [branch-on-device]
      p.copy_(update);
    }
  }
  std::vector<torch::Tensor> parameters_;
};
