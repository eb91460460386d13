// The hottest call turns the copy off by its argument. Of the other calls the hottest tells the place, whichever comes
// first in the source.
#include <torch/torch.h>

using Tensor = torch::Tensor;

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  Tensor forward(Tensor x, bool keep) {
    x = fc->forward(x.to(torch::kCUDA));  // expect-high [unpinned-to-device]
    if (!keep) x = x.to(torch::kCPU);  // expect-high {{copies the tensor to the host}} [tensor-to-host]
    return x;
  }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

float move(Net& net) { return net->forward(torch::zeros({1, 8}), false).sum().data_ptr<float>()[0]; }

float play(Net& net) { return move(net) + move(net); }

void learn(Net& net, torch::optim::Adam& optimizer) {
  auto loss = net->forward(torch::ones({64, 8}), true).sum();
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
}

int main() {
  Net net;
  torch::optim::Adam optimizer(net->parameters(), 0.01);
  float won = 0;
  for (int game = 0; game < 50; ++game) won += play(net);
  for (int round = 0; round < 1000; ++round) {
    learn(net, optimizer);
    won += play(net);
  }
  return won > 0 ? 0 : 1;
}
