// Generated training data on the host: the same numbers in every run.
#pragma once

#include <torch/torch.h>

#include <vector>

struct Batch {
  torch::Tensor input;   // [rows, width], float, CPU
  torch::Tensor target;  // [rows], int64, CPU
};

std::vector<Batch> make_batches(int count, int rows, int width, int classes);

// As if the data had a hole in it.
Batch with_nan(const Batch& batch);
