// After the last batch of an epoch: rare, so no more than medium.
#include <torch/torch.h>
#include <iostream>
#include <vector>

void train(torch::nn::Linear& net, std::vector<torch::Tensor>& batches, int epochs) {
  net->to(torch::kCUDA);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto total = torch::zeros({1}, torch::kCUDA);
    for (auto& batch : batches) {
      auto loss = net->forward(batch.to(torch::kCUDA)).mean();
      loss.backward();
      total += loss.detach();
    }
    std::cout << "epoch " << epoch << " " << total.item<float>() << "\n";  // expect-medium [tensor-to-host]
  }
}
