// The network of both trainers: dense layers with tanh between them.
#pragma once

#include <torch/torch.h>

struct MlpImpl : torch::nn::Module {
  MlpImpl(int width, int hidden, int layers, int classes);
  torch::Tensor forward(torch::Tensor x);

  std::vector<torch::nn::Linear> hidden_layers;
  torch::nn::Linear output{nullptr};
};
TORCH_MODULE(Mlp);

inline constexpr int kRows = 512, kWidth = 4096, kHidden = 1024, kLayers = 6, kClasses = 10, kBatches = 4;
inline constexpr int kPrintEvery = 10;
inline constexpr double kLearningRate = 0.01;

struct Run {
  int steps = 200;     // at least 1
  int plant_nan = -1;  // the step whose input is all NaN; -1: none
};
// From the command line; usage and exit 2 on anything else.
Run run_from(int argc, char** argv);
