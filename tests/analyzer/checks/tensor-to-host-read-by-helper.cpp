// A tensor whose memory the host reads, here through a function that is handed its pointer, is on the CPU, and so is
// all that is computed with it.
#include <torch/torch.h>

static float sum(const float* values, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += values[i];
  return total;
}

float on_the_cpu(torch::Tensor x, torch::Tensor weights, int n) {
  const float total = sum(x.data_ptr<float>(), n);
  torch::Tensor y = x.matmul(weights);
  return total + y.max().item<float>();
}

float on_either(torch::Tensor x, torch::Tensor weights) {
  torch::Tensor y = x.matmul(weights);
  return y.max().item<float>();  // expect-medium [tensor-to-host]
}

torch::Tensor upload(torch::Tensor x) { return x.to(torch::kCUDA); }
