#include "model.h"

#include <cstdio>
#include <cstdlib>
#include <string>

MlpImpl::MlpImpl(int width, int hidden, int layers, int classes) {
  for (int i = 0; i < layers; ++i) {
    hidden_layers.push_back(
        register_module("hidden" + std::to_string(i), torch::nn::Linear(i == 0 ? width : hidden, hidden)));
  }
  output = register_module("output", torch::nn::Linear(hidden, classes));
}

torch::Tensor MlpImpl::forward(torch::Tensor x) {
  for (auto& layer : hidden_layers) x = torch::tanh(layer->forward(x));
  return output->forward(x);
}

int steps_from(int argc, char** argv) {
  if (argc == 1) return 200;
  const int steps = argc == 3 && std::string(argv[1]) == "--steps" ? std::atoi(argv[2]) : 0;
  if (steps < 1) {
    std::fprintf(stderr, "usage: %s [--steps N]\n", argv[0]);
    std::exit(2);
  }
  return steps;
}
