// A module of one's own inside a Sequential: its forward runs in every forward of the whole.
#include <torch/torch.h>

struct CheckImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    if (x.isnan().any().item<bool>()) return torch::zeros({1}, torch::kCUDA);  // expect-high [branch-on-device]
    return x;
  }
};
TORCH_MODULE(Check);

struct ScaleImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    return x / x.max().item<float>();  // expect-high [tensor-to-host]
  }
};
TORCH_MODULE(Scale);

struct UnusedImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x * x.sum().item<float>(); }
};
TORCH_MODULE(Unused);

struct NetImpl : torch::nn::Module {
  NetImpl() : body(torch::nn::Linear(8, 8), Check()) { register_module("body", body); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  torch::nn::Sequential head;
  head->push_back(torch::nn::Linear(8, 1));
  head->push_back(Scale());
  head->to(torch::kCUDA);
  torch::nn::Sequential spare{Unused()};
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto x = torch::randn({64, 8}, torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    auto loss = head->forward(net->forward(x)).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
