// The multilayer perceptron: dense layers with the activation of activation.h between them, the last one linear.
#pragma once

#include <vector>

#include "common/device_buffer.h"
#include "common/matmul.h"
#include "common/parameters.h"

class Network {
 public:
  // widths: input, hidden layers, classes. Everything is enqueued on `stream`; nothing waits or allocates after this.
  Network(const std::vector<int>& widths, int batch, cudaStream_t stream);

  Parameters& parameters() { return parameters_; }
  // input[batch, widths.front()]; fills logits().
  void forward(const float* input);
  const float* logits() const { return outputs_.back().data(); }
  // d(loss)/d(logits), to be filled before backward().
  float* logit_gradients() { return output_gradients_.back().data(); }
  void backward(const float* input);

 private:
  int layers() const { return static_cast<int>(widths_.size()) - 1; }

  std::vector<int> widths_;
  int batch_;
  cudaStream_t stream_;
  Matmul matmul_;
  Parameters parameters_;
  std::vector<DeviceBuffer<float>> outputs_, output_gradients_;  // one a layer
};
