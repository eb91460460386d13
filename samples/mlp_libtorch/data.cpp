#include "data.h"

#include <limits>

std::vector<Batch> make_batches(int count, int rows, int width, int classes) {
  torch::manual_seed(17);
  const torch::Tensor patterns = torch::randn({classes, width}) * 0.1;
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i) {
    const torch::Tensor target = torch::randint(0, classes, {rows}, torch::kLong);
    batches.push_back({torch::randn({rows, width}) + patterns.index_select(0, target), target});
  }
  return batches;
}

Batch with_nan(const Batch& batch) {
  return {torch::full_like(batch.input, std::numeric_limits<float>::quiet_NaN()), batch.target};
}
