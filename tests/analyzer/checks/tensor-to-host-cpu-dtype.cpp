// Tensors made with a type of elements alone, or pinned, live on the CPU: reading them waits for nothing.
#include <torch/torch.h>

struct Schedule {
  torch::Tensor rates = torch::ones({100}, torch::kFloat);
  float at(int step) { return rates[step].item<float>(); }
};

float quiet(std::shared_ptr<torch::nn::Module> net, torch::Tensor input, int steps) {
  net->to(torch::kCUDA);
  torch::Tensor x = input.to(torch::kCUDA);
  torch::Tensor rate = torch::ones({1}, torch::kFloat);
  torch::Tensor order = torch::arange(steps, torch::TensorOptions(torch::kFloat));
  torch::Tensor table = torch::zeros({16}, torch::dtype(torch::kFloat));
  Schedule schedule;
  float total = 0;
  for (int step = 0; step < steps; ++step) {
    x = x * x;
    total += rate.item<float>() + order[step].item<float>() + table[step % 16].item<float>();
    rate *= rate;
    total += schedule.at(step);
    total += x.sum().item<float>();  // expect-high [tensor-to-host]
  }
  return total;
}

// Options that do name a device.
float loud(torch::Tensor x, int steps) {
  torch::Tensor scale = torch::ones({1}, torch::device(torch::kCUDA));
  auto options = torch::TensorOptions(torch::kCUDA);
  torch::Tensor shift = torch::zeros({1}, options);
  float total = 0;
  for (int step = 0; step < steps; ++step) {
    scale = scale * scale;
    shift = shift + scale;
    total += scale.item<float>();  // expect-high [tensor-to-host]
    total += shift.item<float>();  // expect-high [tensor-to-host]
  }
  return total;
}
