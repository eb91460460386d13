// One training step.
#pragma once

#include "data.h"
#include "model.h"

namespace bad {

// False when the loss has become NaN.
bool train_step(Mlp& model, torch::optim::Optimizer& optimizer, const Batch& batch, torch::Device device, int step);
double last_loss();

}  // namespace bad
