// SGD with momentum over all parameters in one launch.
#pragma once

#include <cuda_runtime.h>

#include "common/parameters.h"

inline constexpr float kLearningRate = 0.01f;
inline constexpr float kMomentum = 0.9f;

// `loss` (device, or null): the step is left out on the device when it is not finite, so that no host need look.
void sgd_step(Parameters& parameters, const float* loss, cudaStream_t stream);
