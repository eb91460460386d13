// Numbers that all tensors share, as a rate in a member, are no memory that the iterations share.
#include <torch/torch.h>
#include <cuda_runtime.h>

__global__ void descend(float* p, const float* g, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] -= rate * g[i];
}

struct Config {
  float rate;
};

class Optimizer {
 public:
  void step();

 private:
  void launch(torch::Tensor& p, const torch::Tensor& g);

  Config config_;
  torch::Tensor p_[5], g_[5];
};

void Optimizer::launch(torch::Tensor& p, const torch::Tensor& g) {
  auto p_whole = p.contiguous(), g_whole = g.contiguous();
  int n = p_whole.numel();
  descend<<<(n + 255) / 256, 256>>>(p_whole.data_ptr<float>(), g_whole.data_ptr<float>(), config_.rate, n);
}

void Optimizer::step() {
  for (int i = 0; i < 5; ++i)  // expect-high {{in every iteration}} [per-tensor-loop]
    launch(p_[i], g_[i]);
}

int main() {
  Optimizer optimizer;
  for (int s = 0; s < 1000; ++s) optimizer.step();
}
