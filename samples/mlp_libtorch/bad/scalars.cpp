#include "bad/scalars.h"

namespace bad {

double to_number(const torch::Tensor& value) { return value.detach().item<float>(); }

}  // namespace bad
