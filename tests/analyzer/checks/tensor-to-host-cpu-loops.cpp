// Loops of CPU tensors in a program that uses the GPU elsewhere feed nothing: what they fetch starves nobody.
#include <torch/torch.h>
#include <iostream>
#include <vector>

// The device of `pixels` is not known here, but nothing of this loop runs on the GPU.
float read_images(const std::vector<torch::Tensor>& images, torch::Tensor pixels) {
  float sum = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    torch::Tensor image = torch::zeros({16, 16});
    image = image.square() + torch::rand({16, 16});
    sum += pixels[static_cast<int64_t>(i)].item<float>();
  }
  return sum;
}

// Fetched one by one: nothing is enqueued between.
float sum_up(const torch::Tensor& losses) {
  float sum = 0;
  for (int64_t i = 0; i < losses.size(0); ++i) sum += losses[i].item<float>();
  return sum;
}

float same_with_work(const torch::Tensor& losses, const torch::Tensor& weights) {
  float sum = 0;
  for (int64_t i = 0; i < losses.size(0); ++i) {
    auto scaled = weights.mul_(0.5);
    sum += losses[i].item<float>();  // expect-high [tensor-to-host]
  }
  return sum;
}

int main(int argc, char** argv) {
  torch::nn::Linear net(8, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(torch::randn({64, 8}, torch::kCUDA)).square().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
