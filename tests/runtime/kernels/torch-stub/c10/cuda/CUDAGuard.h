#pragma once

#include "ATen/core/Tensor.h"

namespace c10::cuda {

struct CUDAGuard {
  explicit CUDAGuard(Device device);
  ~CUDAGuard();
};

}  // namespace c10::cuda
