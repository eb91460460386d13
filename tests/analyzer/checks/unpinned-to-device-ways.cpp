// One function for all: what the hottest call hands in says nothing of what the others hand in.
#include <torch/torch.h>

struct Network {
  torch::nn::Linear net{8, 2};
  torch::Device device = torch::kCUDA;
  torch::Tensor predict(torch::Tensor& input) {
    input = input.to(device);  // expect-high [unpinned-to-device]
    return net->forward(input);
  }
  double mean(const torch::Tensor& x) {
    return x.mean().item<double>();  // expect-high [tensor-to-host]
  }
};

void train(Network& network, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  auto weights = torch::ones({64});
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    network.predict(x).sum().backward();
    sum += network.mean(weights);
    o.step();
  }
}

double play(Network& network, torch::optim::Adam& o, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    torch::Tensor board = torch::zeros({1, 8});
    auto out = network.predict(board);
    sum += network.mean(out);
    out.sum().backward();
    o.step();
  }
  return sum;
}

int main() {
  Network network;
  torch::optim::Adam o(network.net->parameters(), 1e-3);
  train(network, o, 1000);
  return play(network, o, 100) > 0;
}
