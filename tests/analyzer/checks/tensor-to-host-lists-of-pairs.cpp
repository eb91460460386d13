// A list of pairs: each element of a pair is on its own device, however the list is made and whoever returns it.
#include <torch/torch.h>

#include <utility>
#include <vector>

using torch::Tensor;
using Pairs = std::vector<std::pair<Tensor, Tensor>>;

Pairs made() {
  auto here = torch::zeros({4}), there = torch::zeros({4}, torch::kCUDA);
  Pairs all = {std::make_pair(here, there), std::make_pair(here, there)};
  return all;
}

std::vector<std::tuple<Tensor, Tensor>> listed(Tensor here, Tensor there) { return {{here, there}, {here, there}}; }

// Adadelta by hand, for parameters on the CPU.
void update(std::vector<Tensor>& params, Pairs& states, float rho) {
  for (size_t i = 0; i < params.size(); i++) {
    auto p = params[i];
    auto s = states[i].first;
    auto delta = states[i].second;
    torch::NoGradGuard no_grad;
    s = rho * s + (1 - rho) * p.grad() * p.grad();
    p.copy_(p - torch::sqrt(delta + 1e-5) / torch::sqrt(s + 1e-5) * p.grad());
  }
}

void train(torch::nn::Linear& net, int steps) {
  net->to(torch::kCUDA);
  auto x = torch::rand({80, 4}, torch::kCUDA);
  auto w = torch::rand({4, 1}), s = torch::zeros({4, 1}), d = torch::zeros({4, 1});
  std::vector<Tensor> params = {w};
  Pairs states = {std::make_pair(s, d)};
  const Pairs all = made();
  const auto tuples = listed(torch::zeros({4}), torch::zeros({4}, torch::kCUDA));
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    net->forward(x).sum().backward();
    sum += all[i].first.sum().item<double>();
    sum += all[i].second.sum().item<double>();          // expect-high [tensor-to-host]
    sum += std::get<0>(tuples[i]).sum().item<double>();
    sum += std::get<1>(tuples[i]).sum().item<double>();  // expect-high [tensor-to-host]
    w.sum().backward();
    update(params, states, 0.9f);
  }
}
