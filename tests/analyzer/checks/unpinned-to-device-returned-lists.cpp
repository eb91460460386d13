// Vectors of tensors that a function gives back: what was put in is what comes out. And tensors without elements.
#include <torch/torch.h>

#include <vector>

std::vector<torch::Tensor> listed(int n) {
  auto mask = torch::zeros({n, 4});
  std::vector<torch::Tensor> out = {mask, torch::ones({n, 4})};
  return out;
}

std::vector<torch::Tensor> direct(int n) {
  auto x = torch::zeros({n, 4});
  return {x, torch::ones({n})};
}

std::vector<torch::Tensor> pushed(int n) {
  std::vector<torch::Tensor> out;
  out.push_back(torch::zeros({n, 4}));
  return out;
}

std::vector<torch::Tensor> handed_on(int n) { return pushed(n); }

std::vector<torch::Tensor> on_the_device(int n, torch::Device device) {
  auto x = torch::zeros({n, 4}, device);
  std::vector<torch::Tensor> out = {x, x};
  return out;
}

std::vector<torch::Tensor> one_of_two(int n, torch::Device device) {
  if (n > 4) return {torch::zeros({n, 4}, device)};
  return {torch::ones({n, 4}, device)};
}

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Tensor input, torch::Device device) {
  for (int i = 0; i < 1000; ++i) {
    auto loss = net->forward(input).sum();
    auto l = listed(4);
    auto a = l[0].to(device);  // expect-high [unpinned-to-device]
    auto b = direct(4)[1].to(device);  // expect-high [unpinned-to-device]
    auto d = direct(4);
    auto c = d[1];
    c = c.to(device);  // expect-high [unpinned-to-device]
    auto p = pushed(4);
    for (auto& t : p) t = t.to(device);  // expect-high [unpinned-to-device]
    auto h = handed_on(4);
    auto e = h[0].to(device);  // expect-high [unpinned-to-device]

    auto there = on_the_device(4, device);
    auto f = there[0].to(device);
    auto two = one_of_two(4, device);
    auto g = two[0].to(device);

    auto none = torch::empty({0, 4}).to(device);
    auto no_rows = torch::zeros({0}).to(device);
    auto values = torch::tensor({0, 4}).to(device);  // expect-high [unpinned-to-device]
    auto rows = torch::zeros({10, 4}).to(device);  // expect-high [unpinned-to-device]
    loss.backward();
    optimizer.step();
  }
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 4);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  train(net, optimizer, torch::randn({4, 4}, device), device);
}
