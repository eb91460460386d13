// What a many-tensor elementwise operation does to one element of each list, apart from how the elements are reached
// (chunk_map.cuh). prepare() runs once a thread, before the first element; false: there is nothing to do. kMostBlocks:
// more are not launched.
#pragma once

#include <cuda_runtime.h>

namespace syncsniff::detail {

inline constexpr unsigned kAnyNumber = 0x7fffffffu;
inline constexpr unsigned kList0 = 1, kList1 = 2, kList2 = 4, kList3 = 8;

struct ZeroOp {
  static constexpr unsigned kReads = 0, kWrites = kList0;
  static constexpr unsigned kMostBlocks = kAnyNumber;
  __device__ bool prepare() { return true; }
  __device__ void operator()(float& x) const { x = 0.0f; }
};

struct ScaleOp {
  static constexpr unsigned kReads = kList0, kWrites = kList0;
  static constexpr unsigned kMostBlocks = kAnyNumber;
  float factor;
  const float* device_factor;  // instead of `factor` where it is not null
  __device__ bool prepare() {
    if (device_factor != nullptr) factor = *device_factor;
    return true;
  }
  __device__ void operator()(float& x) const { x *= factor; }
};

// As PyTorch's clip_grad_norm_: nothing is touched where the norm is within bounds; a NaN norm makes all NaN.
struct ClipOp {
  static constexpr unsigned kReads = kList0, kWrites = kList0;
  // Mostly the norm is within bounds: 56,000 blocks that each find so take 47 us, these 7 (900 MB, H200).
  static constexpr unsigned kMostBlocks = 16384;
  const float* norm;
  float max_norm;
  float factor;
  __device__ bool prepare() {
    factor = max_norm / (*norm + 1e-6f);
    return !(factor >= 1.0f);
  }
  __device__ void operator()(float& x) const { x *= factor; }
};

struct AxpbyOp {
  static constexpr unsigned kReads = kList0 | kList1, kWrites = kList0;
  static constexpr unsigned kMostBlocks = kAnyNumber;
  float a, b;
  __device__ bool prepare() { return true; }
  __device__ void operator()(float& y, float& x) const { y = fmaf(a, x, b * y); }
};

struct SgdOp {
  static constexpr unsigned kReads = kList0 | kList1 | kList2, kWrites = kList0 | kList2;
  static constexpr unsigned kMostBlocks = kAnyNumber;
  float learning_rate, momentum, dampening, weight_decay;
  bool nesterov;
  const float* device_learning_rate;
  const int* skip;
  __device__ bool prepare() {
    if (device_learning_rate != nullptr) learning_rate = *device_learning_rate;
    return skip == nullptr || *skip == 0;
  }
  __device__ void operator()(float& parameter, float& gradient, float& velocity) const {
    const float g = fmaf(weight_decay, parameter, gradient);
    velocity = fmaf(momentum, velocity, (1.0f - dampening) * g);
    parameter -= learning_rate * (nesterov ? fmaf(momentum, velocity, g) : velocity);
  }
};

struct AdamWOp {
  static constexpr unsigned kReads = kList0 | kList1 | kList2 | kList3, kWrites = kList0 | kList2 | kList3;
  static constexpr unsigned kMostBlocks = kAnyNumber;
  float learning_rate, beta1, beta2, epsilon, weight_decay;
  float log_beta1, log_beta2;
  float step;
  const float* device_learning_rate;
  const int* device_step;
  const int* skip;
  float decay, step_size, inverse_root;  // from prepare()

  __device__ bool prepare() {
    if (skip != nullptr && *skip != 0) return false;
    if (device_learning_rate != nullptr) learning_rate = *device_learning_rate;
    if (device_step != nullptr) step = static_cast<float>(*device_step);
    // 1 - beta^step, without losing the digits that 1 - 0.999 has.
    const float correction1 = -expm1f(step * log_beta1), correction2 = -expm1f(step * log_beta2);
    decay = 1.0f - learning_rate * weight_decay;
    step_size = learning_rate / correction1;
    inverse_root = rsqrtf(correction2);
    return true;
  }
  __device__ void operator()(float& parameter, float& gradient, float& mean, float& square) const {
    mean = fmaf(1.0f - beta1, gradient - mean, mean);
    square = fmaf(beta2, square, (1.0f - beta2) * gradient * gradient);
    parameter = parameter * decay - step_size * mean / fmaf(sqrtf(square), inverse_root, epsilon);
  }
};

}  // namespace syncsniff::detail
