// Watches the gradients drift: the sum of each parameter's gradient, every step.
#pragma once

#include "common/device_buffer.h"
#include "common/parameters.h"

namespace bad {

class GradientSums {
 public:
  explicit GradientSums(Parameters& parameters);

  void launch(cudaStream_t stream);
  float total_on_host() const;  // reads the sums back

 private:
  Parameters& parameters_;
  DeviceBuffer<float> partials_, sums_;
};

}  // namespace bad
