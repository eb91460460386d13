// An iteration that finds what the one before left in the same memory cannot share a launch with it.
#include <cuda_runtime.h>
#include <vector>

__global__ void cell(const float* x, float* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[i] = tanhf(h[i] + x[i]);
}
__global__ void sum(const float* x, float* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, x[i]);
}

void through_time(const std::vector<float*>& x, float* h, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (size_t t = 0; t < x.size(); ++t) cell<<<4, 256>>>(x[t], h, n);
  }
}
void sums(const std::vector<float*>& grads, float* total, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (size_t i = 0; i < grads.size(); ++i) sum<<<4, 256>>>(grads[i], total, n);  // expect-high [per-tensor-loop]
  }
}

// Layers that hand their outputs on through two buffers in turn, or a list.
__global__ void layer(const float* weights, const float* in, float* out, int n);
void layers(const std::vector<float*>& weights, float* buffers[2], std::vector<float*>& hidden, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    int at = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      layer<<<4, 256>>>(weights[i], buffers[(at + 1) % 2], buffers[at % 2], n);
      ++at;
    }
    at = 1;
    for (size_t i = 0; i < weights.size(); ++i) {
      layer<<<4, 256>>>(weights[i], hidden.at(at - 1), hidden.at(at), n);
      at += 1;
    }
  }
}

// An object that one layer leaves to the next, and neighbours by another number than the loop's own.
__global__ void product(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * b[i];
}
struct Matrix {
  float *data, *out;
  int n;
  Matrix times(const Matrix& other) const;
};
Matrix Matrix::times(const Matrix& other) const {
  product<<<1, 128>>>(data, other.data, out, n);
  return *this;
}

void backward(Matrix* weights, const Matrix& error, int depth) {
  Matrix delta = error;
  for (int j = 0; j < depth; ++j) {
    delta = weights[j].times(delta);
  }
  for (int j = 0; j < depth; ++j) {
    const int i = depth - j - 1;
    weights[i].times(weights[i - 1]);
  }
  Matrix last = error;
  for (int j = 0; j < depth; ++j) {  // expect-high [per-tensor-loop]
    last = weights[j].times(error);
  }
}

void train_layers(Matrix* weights, const Matrix& error, int steps) {
  for (int step = 0; step < steps; ++step) backward(weights, error, 8);
}
