// A variable is a mask or holds indices: what it was given last before its use decides.
#include <torch/torch.h>

void train(torch::Tensor scores, torch::Tensor labels, torch::Tensor boxes) {
  scores = scores.to(torch::kCUDA);
  labels = labels.to(torch::kCUDA);
  boxes = boxes.to(torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    auto chosen = (scores > 0.5).nonzero();  // expect-high [tensor-to-host]
    auto first = boxes.index({chosen});
    chosen = scores > 0.7;
    auto second = boxes.index({chosen});  // expect-high [tensor-to-host]
    auto mask = labels == step;
    mask = torch::arange(3, torch::kCUDA);
    auto third = boxes.index({mask});
    boxes = third;
  }
}

int main() { train(torch::rand({9}), torch::rand({9}), torch::rand({9, 4})); }
