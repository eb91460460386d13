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

Run run_from(int argc, char** argv) {
  Run run;
  bool good = argc % 2 == 1;
  for (int i = 1; good && i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    char* end = nullptr;
    const long value = std::strtol(argv[i + 1], &end, 10);
    good = end != argv[i + 1] && *end == '\0' && value >= 0 && value <= 100000000;
    if (option == "--steps" && value > 0)
      run.steps = static_cast<int>(value);
    else if (option == "--plant-nan")
      run.plant_nan = static_cast<int>(value);
    else
      good = false;
  }
  if (!good) {
    std::fprintf(stderr, "usage: %s [--steps N] [--plant-nan STEP]\n", argv[0]);
    std::exit(2);
  }
  return run;
}
