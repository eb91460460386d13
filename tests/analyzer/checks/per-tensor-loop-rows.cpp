// A network that gets one row of a tensor after another: one call can process the whole tensor, unless a row needs what
// the network made of the row before.
#include <torch/torch.h>

#include <tuple>
#include <vector>

using torch::Tensor;

struct Net : torch::nn::Module {
  torch::nn::Linear one, two;
  Tensor kept, seen;
  Tensor forward(Tensor x) {
    x = torch::relu(one->forward(x));
    return two->forward(x);
  }
  Tensor remember(Tensor x) {
    kept = torch::relu(one->forward(x) + kept);
    return two->forward(kept);
  }
  std::tuple<Tensor, Tensor> next(Tensor x, Tensor hidden) {
    hidden = torch::relu(one->forward(x) + hidden);
    return {two->forward(hidden), hidden};
  }
  Tensor count(Tensor x) {
    std::tie(kept, seen) = next(x, kept);
    return kept;
  }
};

void train(Net& net, std::vector<Net>& nets, torch::optim::SGD& optimizer, Tensor data, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto states = data.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto target = torch::zeros({8, 2}, torch::kCUDA);
    for (int k = 0; k < 8; ++k) target[k].copy_(net.forward(states[k]));  // expect-high [per-tensor-loop]
    for (int k = 0; k < 8; ++k) {                                         // expect-high [per-tensor-loop]
      const auto state = states[k].unsqueeze(0);
      const float best = net.forward(state).max().item<float>();          // expect-high [tensor-to-host]
      target[k][0] = best;
    }
    // What the network keeps, or the loop hands on, is for the next row.
    for (int k = 0; k < 8; ++k) target[k].copy_(net.remember(states[k]));
    for (int k = 0; k < 8; ++k) target[k].copy_(net.count(states[k]));
    Tensor hidden = torch::zeros({4}, torch::kCUDA), out;
    for (int k = 0; k < 8; ++k) {
      std::tie(out, hidden) = net.next(states[k], hidden);
      target[k].copy_(out);
    }
    for (int k = 0; k < 8; ++k) {
      auto [made, then] = net.next(states[k], hidden);
      hidden = then;
      target[k].copy_(made);
    }
    Tensor last = states[0];
    for (int k = 0; k < 8; ++k) last = net.forward(states[k] + last);
    // Several networks, and one network on several tensors.
    for (int k = 0; k < 8; ++k) target[k].copy_(nets[k].forward(states[k]));
    torch::mse_loss(net.forward(states), target).backward();
    optimizer.step();
  }
}

// Each row is a batch of its own, after which the weights change.
void train_on_batches(Net& net, torch::optim::SGD& optimizer, Tensor batches, Tensor targets, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int k = 0; k < 100; ++k) {
      torch::mse_loss(net.forward(batches[k].to(torch::kCUDA)), targets[k]).backward();  // expect-high [unpinned-to-device]
      optimizer.step();
    }
  }
}

int main() {
  Net net;
  net.to(torch::kCUDA);
  std::vector<Net> nets(8);
  torch::optim::SGD optimizer(net.parameters(), 0.1);
  train(net, nets, optimizer, torch::rand({8, 4}), 100);
  train_on_batches(net, optimizer, torch::rand({100, 8, 4}), torch::zeros({100, 8, 2}, torch::kCUDA), 10);
}
