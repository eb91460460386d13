// One training step that waits for nothing.
#pragma once

#include "data.h"
#include "good/result_log.h"
#include "model.h"

namespace good {

void train_step(Mlp& model, torch::optim::Optimizer& optimizer, const Batch& batch, torch::Device device, int step,
                ResultLog& log);

}  // namespace good
