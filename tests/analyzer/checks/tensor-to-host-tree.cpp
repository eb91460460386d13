// Recursion: what a tree does before the first step, and what it is asked in each.
#include <torch/torch.h>

// A tree that is built once, before the first step: its loop over the children calls the function that it stands in.
struct Tree {
  explicit Tree(torch::Tensor c) : centers(c) { build(0); }
  void build(int depth) {
    if (depth > 8) return;
    size += (centers * 2.0).max().item<float>();
    for (int i = 0; i < 8; ++i) build(depth + 1);
  }
  // Asked in each step.
  float walk(int depth) {
    float sum = (centers * 2.0).max().item<float>();  // expect-high [tensor-to-host]
    for (int i = 0; i < depth; ++i) sum += walk(depth - 1);
    return sum;
  }
  torch::Tensor centers;
  float size = 0;
};

int main() {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  Tree tree(x);
  torch::nn::Linear net(8, 8);
  torch::optim::Adam o(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    net->forward(x).sum().backward();
    tree.walk(2);
    o.step();
  }
}
