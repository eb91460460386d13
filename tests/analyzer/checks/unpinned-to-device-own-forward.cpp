// A class's own forward(x) computes: only std::forward passes its argument on. The tensors of a list that is written in
// the call, and both parts of what a layer makes, are on the devices of what they are made from.
#include <torch/torch.h>

#include <utility>
#include <vector>

struct HeadImpl : torch::nn::Module {
  torch::nn::Linear classes{nullptr}, boxes{nullptr};

  std::tuple<torch::Tensor, torch::Tensor> forward(std::vector<torch::Tensor> features, torch::Tensor rows) {
    torch::Tensor x = features[0] + rows;
    torch::Tensor a = classes->forward(x), b = boxes->forward(x);
    return std::make_tuple(a, b);
  }

  torch::Tensor chosen(std::vector<torch::Tensor> features) {
    auto outputs = forward(features, features[0]);
    torch::Tensor b = std::get<1>(outputs);
    b = b.view({-1, 8});
    return b.index({torch::arange(64)});  // expect-high [unpinned-to-device]
  }

  torch::Tensor first(const std::vector<torch::Tensor>& features) {
    return features[0].index({torch::arange(64)});  // expect-high [unpinned-to-device]
  }

  torch::Tensor first_on_host(const std::vector<torch::Tensor>& features) {
    return features[0].index({torch::arange(64)});
  }

  torch::Tensor passed(torch::Tensor&& x) {
    torch::Tensor y = std::forward<torch::Tensor>(x);
    return y.index({torch::arange(64)});  // expect-high [unpinned-to-device]
  }
};
TORCH_MODULE(Head);

int main() {
  torch::Device device(torch::kCUDA);
  Head net;
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    torch::Tensor x = torch::randn({64, 8}, device);
    torch::Tensor loss = net->chosen({x}).sum();
    loss = loss + net->first({x, x}).sum();
    loss = loss + net->passed(x * 2).sum();
    torch::Tensor picked = net->first_on_host({torch::randn({64, 8})});
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
