// Optimizer steps over all parameters in one launch. The conventions are those of multi_tensor.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

#include "syncsniff/multi_tensor.cuh"

namespace syncsniff::multi_tensor {

struct AdamW {
  float learning_rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, weight_decay = 1e-2f;
  int step = 1;  // counted from 1: the correction of the moments' bias
  // Read on the device instead, where not null: for a step that is captured once and replayed.
  const float* device_learning_rate = nullptr;
  const int* device_step = nullptr;  // from 1 on, as step
  const int* skip = nullptr;         // device: where it is not 0 nothing is changed (any_nonfinite's total fits)
};

// One AdamW step (decoupled weight decay; Adam with weight_decay = 0). gradients, means and squares: lists beside
// `parameters`; means and squares begin as zeros. Reads 4 and writes 3 elements for each parameter.
template <typename T, typename G, typename S>
cudaError_t adamw(const Plan<T>& parameters, const List<G>& gradients, const List<S>& means, const List<S>& squares,
                  const AdamW& options, cudaStream_t stream) {
  if (options.device_step == nullptr && options.step < 1) return cudaErrorInvalidValue;
  detail::AdamWOp op{};
  op.learning_rate = options.learning_rate;
  op.beta1 = options.beta1;
  op.beta2 = options.beta2;
  op.epsilon = options.epsilon;
  op.weight_decay = options.weight_decay;
  op.log_beta1 = static_cast<float>(std::log(static_cast<double>(options.beta1)));
  op.log_beta2 = static_cast<float>(std::log(static_cast<double>(options.beta2)));
  op.step = static_cast<float>(options.step);
  op.device_learning_rate = options.device_learning_rate;
  op.device_step = options.device_step;
  op.skip = options.skip;
  return internal::map(parameters, op, stream, gradients, means, squares);
}

struct SgdMomentum {
  float learning_rate = 1e-2f, momentum = 0.9f, dampening = 0.0f, weight_decay = 0.0f;
  bool nesterov = false;
  const float* device_learning_rate = nullptr;  // read on the device instead, where not null
  const int* skip = nullptr;                    // device: where it is not 0 nothing is changed
};

// One step of stochastic gradient descent with momentum. velocities begin as zeros. Where dampening is 0 the same as
// PyTorch's; else the first step differs (PyTorch starts from the gradient itself, undampened), and with momentum 0 all
// do (PyTorch then leaves dampening out).
template <typename T, typename G, typename S>
cudaError_t sgd_momentum(const Plan<T>& parameters, const List<G>& gradients, const List<S>& velocities,
                         const SgdMomentum& options, cudaStream_t stream) {
  const detail::SgdOp op{options.learning_rate, options.momentum, options.dampening,
                         options.weight_decay,  options.nesterov, options.device_learning_rate,
                         options.skip};
  return internal::map(parameters, op, stream, gradients, velocities);
}

}  // namespace syncsniff::multi_tensor
