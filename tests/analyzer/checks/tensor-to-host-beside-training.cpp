// What a program that trains does before and after its steps: each loop of these runs once.
#include <torch/torch.h>

#include <cstdio>
#include <vector>

void summary(std::vector<torch::Tensor>& parameters) {
  for (auto& p : parameters) std::printf("%f\n", p.norm().item<float>());  // expect-low [tensor-to-host]
}

float evaluate(std::vector<torch::Tensor>& batches) {
  float sum = 0;
  for (auto& batch : batches) {
    sum += (batch * batch).sum().item<float>();  // expect-low [tensor-to-host]
  }
  return sum;
}

float each_epoch(std::vector<torch::Tensor>& batches) {
  float sum = 0;
  for (auto& batch : batches) {  // expect-low [per-tensor-loop]
    sum += (batch * batch).sum().item<float>();  // expect-high [tensor-to-host]
  }
  return sum;
}

int main() {
  torch::Device device(torch::kCUDA);
  std::vector<torch::Tensor> parameters, batches;
  for (int i = 0; i < 100; ++i) {
    parameters.push_back(torch::rand({4, 4}, device));
    batches.push_back(torch::rand({4, 4}, device));
  }
  torch::optim::SGD optimizer(parameters, 0.1);
  summary(parameters);
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (auto& batch : batches) {
      optimizer.zero_grad();
      auto loss = (parameters[0] * batch).sum();
      loss.backward();
      optimizer.step();
      std::printf("%f\n", loss.item<float>());  // expect-high [tensor-to-host]
    }
    each_epoch(batches);
  }
  evaluate(batches);
}
