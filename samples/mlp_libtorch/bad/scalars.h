// Device values as host numbers.
#pragma once

#include <torch/torch.h>

namespace bad {

double to_number(const torch::Tensor& value);

}  // namespace bad
