// The activation of the hidden layers: x = kActivationScale * tanh(x + bias), in place.
#pragma once

#include <cuda_runtime.h>

inline constexpr float kActivationScale = 1.125f;  // exact in binary: fused and unfused give the same bits

// x[rows, columns], bias[columns]; device pointers, enqueued on `stream`.
void activate(float* x, const float* bias, int rows, int columns, cudaStream_t stream);
