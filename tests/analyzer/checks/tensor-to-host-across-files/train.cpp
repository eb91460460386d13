#include "model.h"
#include <iostream>

int main() {
  torch::manual_seed(1);
  const torch::Device device(torch::kCUDA);
  Model model(device);
  for (int step = 0; step < 1000; ++step) {
    auto input = torch::randn({64, 16}, device);
    model.step(input);
  }
  std::cout << model.meter().sum << "\n";
}
