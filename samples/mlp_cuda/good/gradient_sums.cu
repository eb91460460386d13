#include <syncsniff/multi_tensor.cuh>
#include <vector>

#include "good/gradient_sums.h"

namespace good {

GradientSums::GradientSums(Parameters& parameters, cudaStream_t stream) : sums_(parameters.slices().size()) {
  std::vector<const float*> gradients;
  std::vector<std::uint64_t> elements;
  for (const ParameterSlice& slice : parameters.slices()) {
    gradients.push_back(parameters.gradients() + slice.offset);
    elements.push_back(slice.elements);
  }
  CUDA_CHECK(plan_.build(gradients.data(), elements.data(), gradients.size(), stream));
}

void GradientSums::launch(float* total, cudaStream_t stream) {
  CUDA_CHECK(syncsniff::multi_tensor::sum(plan_, sums_.data(), total, stream));
}

}  // namespace good
