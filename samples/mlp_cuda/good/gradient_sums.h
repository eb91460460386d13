// Watches the gradients drift: the sums of all parameters' gradients in one launch, left on the device.
#pragma once

#include <syncsniff/multi_tensor_plan.cuh>

#include "common/device_buffer.h"
#include "common/parameters.h"

namespace good {

class GradientSums {
 public:
  GradientSums(Parameters& parameters, cudaStream_t stream);

  // total: device memory for one float.
  void launch(float* total, cudaStream_t stream);

 private:
  syncsniff::multi_tensor::Plan<float> plan_;
  DeviceBuffer<float> sums_;
};

}  // namespace good
