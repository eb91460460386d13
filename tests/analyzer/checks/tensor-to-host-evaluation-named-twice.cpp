// Code that computes no gradients is one step lower. Names that say the same, `test` and `predict`, say it only once.
#include <torch/torch.h>

float forward_test(torch::nn::Linear& net, torch::Tensor x) {
  return net->forward(x).sum().item<float>();  // expect-medium [tensor-to-host]
}

float predicted(torch::nn::Linear& net, torch::Tensor x, bool predict) {
  if (!predict) return 0;
  return net->forward(x).sum().item<float>();  // expect-medium [tensor-to-host]
}

float saved(torch::nn::Linear& net, torch::Tensor x, bool checkpoint) {
  if (!checkpoint) return 0;
  return net->forward(x).sum().item<float>();  // expect-low [tensor-to-host]
}

int main(int argc, char** argv) {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(8, 8);
  net->to(device);
  torch::NoGradGuard no_grad;
  float sum = 0;
  for (int i = 0; i < 1000; ++i) {
    torch::Tensor x = torch::randn({64, 8}, device);
    sum += forward_test(net, x) + predicted(net, x, argc > 1) + saved(net, x, argc > 2);
  }
  return sum > 0;
}
