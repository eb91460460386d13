// main() trains, and this function is left over: nobody calls it, so its loop costs nobody anything.
#include <torch/torch.h>

#include <numeric>
#include <vector>

float mean_norm(const std::vector<torch::Tensor>& gradients) {
  float sum = 0;
  for (const torch::Tensor& gradient : gradients) sum += gradient.norm().item<float>();  // expect-low [tensor-to-host]
  return sum / gradients.size();
}

float loss_of(torch::Tensor x) {
  return x.mean().item<float>();  // expect-high [tensor-to-host]
}

int main() {
  torch::Tensor x = torch::zeros({8, 8}, torch::kCUDA);
  float total = 0;
  for (int step = 0; step < 1000; ++step) {
    x = x.matmul(x);
    total += loss_of(x);
  }
  return total > 0;
}
