// multinomial() checked the probabilities on the host until LibTorch 2.6: the headers say which version it is.
#include <torch/torch.h>

#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 5

void sampling(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  auto host = torch::rand({64, 8});
  for (int step = 0; step < steps; ++step) {
    auto p = net->forward(x);
    auto one = torch::multinomial(p, 1, true);  // expect-high {{multinomial' calls .item() internally}} [tensor-to-host]
    auto all = torch::multinomial(p, 8);        // expect-high [tensor-to-host]
    auto many = torch::multinomial(p, 8, true);  // nothing is checked
    auto there = torch::multinomial(host, 1);
    torch::cat({one, all, many}).sum().backward();
    o.step();
  }
}
