// Softmax cross-entropy: the mean loss of a batch and its gradient, both left on the device.
#pragma once

#include <cuda_runtime.h>

#include "common/device_buffer.h"

// The results of one step, in device memory. The trainers of bad/ and good/ both copy them to the host.
struct StepResult {
  float loss;
  float gradient_sum;
};

class SoftmaxLoss {
 public:
  // nan_at: the launch() that leaves a NaN for a loss, the first being 0; none if it is negative.
  SoftmaxLoss(int batch, int nan_at) : batch_(batch), nan_at_(nan_at), row_losses_(static_cast<std::size_t>(batch)) {}

  // logits[batch, classes] and labels[batch] -> gradients[batch, classes] and *loss; device pointers.
  void launch(const float* logits, const int* labels, float* gradients, float* loss, int classes, cudaStream_t stream);

 private:
  int batch_, nan_at_;
  int launches_ = 0;
  DeviceBuffer<float> row_losses_;
};
