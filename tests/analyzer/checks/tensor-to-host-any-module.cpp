// A module behind torch::nn::AnyModule: its forward runs where that of the AnyModule is called, in another function, too.
#include <torch/torch.h>

struct ScaleImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    return x / x.max().item<float>();  // expect-high [tensor-to-host]
  }
};
TORCH_MODULE(Scale);

struct CheckImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    if (x.isnan().any().item<bool>()) return torch::zeros({1}, torch::kCUDA);  // expect-high [branch-on-device]
    return x;
  }
};

struct UnusedImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x * x.sum().item<float>(); }
};
TORCH_MODULE(Unused);

void train(torch::nn::AnyModule net, torch::optim::SGD& optimizer) {
  auto x = torch::randn({64, 8}, torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    auto loss = net.forward(x).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}

int main(int argc, char**) {
  torch::nn::AnyModule net;
  torch::nn::Linear head(8, 8);
  head->to(torch::kCUDA);
  torch::optim::SGD optimizer(head->parameters(), 0.1);
  if (argc > 1) {
    auto check = std::make_shared<CheckImpl>();
    net = check;
  } else {
    net = torch::nn::AnyModule(Scale());
  }
  torch::nn::AnyModule spare(Unused{});
  train(net, optimizer);
}
