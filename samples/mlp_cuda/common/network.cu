#include "common/activation.h"
#include "common/network.h"

namespace {

constexpr int kThreads = 256;

__global__ void add_bias_kernel(float* x, const float* bias, int rows, int columns) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * columns) x[i] += bias[i % columns];
}

// y = s tanh(z), so dz = dy s (1 - (y/s)^2); in place on the gradient.
__global__ void activation_backward_kernel(float* gradient, const float* output, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float tanh_z = output[i] / kActivationScale;
  gradient[i] *= kActivationScale * (1.0f - tanh_z * tanh_z);
}

int blocks_for(int count) { return (count + kThreads - 1) / kThreads; }

std::vector<DeviceBuffer<float>> buffers_for(const std::vector<int>& widths, int batch) {
  std::vector<DeviceBuffer<float>> buffers;
  for (std::size_t i = 1; i < widths.size(); ++i) {
    buffers.emplace_back(static_cast<std::size_t>(batch) * static_cast<std::size_t>(widths[i]));
  }
  return buffers;
}

}  // namespace

Network::Network(const std::vector<int>& widths, int batch, cudaStream_t stream)
    : widths_(widths),
      batch_(batch),
      stream_(stream),
      matmul_(stream, batch),
      parameters_(widths),
      outputs_(buffers_for(widths, batch)),
      output_gradients_(buffers_for(widths, batch)) {}

void Network::forward(const float* input) {
  for (int layer = 0; layer < layers(); ++layer) {
    const int inputs = widths_[layer], outputs = widths_[layer + 1];
    float* output = outputs_[layer].data();
    matmul_.multiply(input, parameters_.weight(layer), output, batch_, outputs, inputs);
    if (layer + 1 < layers()) {
      activate(output, parameters_.bias(layer), batch_, outputs, stream_);
    } else {
      add_bias_kernel<<<blocks_for(batch_ * outputs), kThreads, 0, stream_>>>(output, parameters_.bias(layer), batch_,
                                                                              outputs);
      CUDA_CHECK(cudaGetLastError());
    }
    input = output;
  }
}

void Network::backward(const float* input) {
  for (int layer = layers() - 1; layer >= 0; --layer) {
    const int inputs = widths_[layer], outputs = widths_[layer + 1];
    const float* below = layer == 0 ? input : outputs_[layer - 1].data();
    float* gradient = output_gradients_[layer].data();
    if (layer + 1 < layers()) {
      activation_backward_kernel<<<blocks_for(batch_ * outputs), kThreads, 0, stream_>>>(
          gradient, outputs_[layer].data(), batch_ * outputs);
      CUDA_CHECK(cudaGetLastError());
    }
    matmul_.multiply_a_transposed(below, gradient, parameters_.weight_gradient(layer), inputs, outputs, batch_);
    matmul_.column_sums(gradient, parameters_.bias_gradient(layer), batch_, outputs);
    if (layer > 0) {
      matmul_.multiply_b_transposed(gradient, parameters_.weight(layer), output_gradients_[layer - 1].data(), batch_,
                                    inputs, outputs);
    }
  }
}
