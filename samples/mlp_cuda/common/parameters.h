// All weights and biases in one block of device memory, their gradients and momenta in two more of the same layout.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device_buffer.h"

struct ParameterSlice {
  std::uint64_t offset;
  std::uint64_t elements;
};

class Parameters {
 public:
  // One dense layer a pair of widths: widths[i] x widths[i + 1] weights, then widths[i + 1] biases.
  explicit Parameters(const std::vector<int>& widths);

  const std::vector<ParameterSlice>& slices() const { return slices_; }
  std::uint64_t total() const { return values_.count(); }

  float* values() { return values_.data(); }
  float* gradients() { return gradients_.data(); }
  float* momenta() { return momenta_.data(); }

  float* weight(int layer) { return values() + slices_[2 * static_cast<std::size_t>(layer)].offset; }
  float* bias(int layer) { return values() + slices_[2 * static_cast<std::size_t>(layer) + 1].offset; }
  float* weight_gradient(int layer) { return gradients() + slices_[2 * static_cast<std::size_t>(layer)].offset; }
  float* bias_gradient(int layer) { return gradients() + slices_[2 * static_cast<std::size_t>(layer) + 1].offset; }

 private:
  std::vector<ParameterSlice> slices_;
  DeviceBuffer<float> values_, gradients_, momenta_;
};
