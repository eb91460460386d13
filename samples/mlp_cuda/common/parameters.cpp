#include "common/parameters.h"

#include <cmath>

#include "common/random.h"

namespace {

std::vector<ParameterSlice> lay_out(const std::vector<int>& widths) {
  std::vector<ParameterSlice> slices;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    const auto inputs = static_cast<std::uint64_t>(widths[i]), outputs = static_cast<std::uint64_t>(widths[i + 1]);
    slices.push_back({offset, inputs * outputs});
    slices.push_back({offset + inputs * outputs, outputs});
    offset += (inputs + 1) * outputs;
  }
  return slices;
}

std::size_t total_of(const std::vector<ParameterSlice>& slices) {
  return slices.empty() ? 0 : static_cast<std::size_t>(slices.back().offset + slices.back().elements);
}

}  // namespace

Parameters::Parameters(const std::vector<int>& widths)
    : slices_(lay_out(widths)), values_(total_of(slices_)), gradients_(total_of(slices_)), momenta_(total_of(slices_)) {
  Random random(7);
  std::vector<float> initial(values_.count(), 0.0f);  // biases start at 0
  for (std::size_t layer = 0; layer + 1 < widths.size(); ++layer) {
    const ParameterSlice& weights = slices_[2 * layer];
    const float bound = std::sqrt(3.0f / static_cast<float>(widths[layer]));  // unit variance kept (LeCun 1998)
    for (std::uint64_t i = 0; i < weights.elements; ++i) initial[weights.offset + i] = bound * random.symmetric();
  }
  CUDA_CHECK(cudaMemcpy(values_.data(), initial.data(), initial.size() * sizeof(float), cudaMemcpyHostToDevice));
}
