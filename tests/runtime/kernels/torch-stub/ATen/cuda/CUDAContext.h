#pragma once

#include <cuda_runtime_api.h>

#include "ATen/core/Tensor.h"

namespace at::cuda {

struct CUDAStream {
  operator cudaStream_t() const;
};
CUDAStream getCurrentCUDAStream(c10::DeviceIndex device = -1);

}  // namespace at::cuda
