// std::for_each is a loop: what it calls for each element is its body.
#include <cuda_runtime.h>

#include <algorithm>
#include <ranges>
#include <vector>

struct Tensor {
  float *weights, *gradient;
  int n;
};

__global__ void sgd(float* weights, const float* gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] -= .1f * gradient[i];
}

__global__ void backward(float* gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gradient[i] = i;
}

__global__ void dense(const float* weights, const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[i] * in[n - 1 - i];
}

void update(const Tensor& t) { sgd<<<(t.n + 255) / 256, 256>>>(t.weights, t.gradient, t.n); }

int main() {
  std::vector<Tensor> tensors(64);
  float *flat, *out;
  cudaMalloc(&flat, 1 << 22);
  cudaMalloc(&out, 1 << 22);
  const auto scale = [](Tensor& t) { sgd<<<(t.n + 255) / 256, 256>>>(t.weights, t.gradient, t.n); };
  for (int step = 0; step < 1000; ++step) {
    backward<<<4096, 256>>>(flat, 1 << 20);
    std::for_each(tensors.begin(), tensors.end(),  // expect-high [per-tensor-loop] {{'tensors' ('sgd')}}
                  [](Tensor& t) { sgd<<<(t.n + 255) / 256, 256>>>(t.weights, t.gradient, t.n); });
    backward<<<4096, 256>>>(flat, 1 << 20);
    std::ranges::for_each(tensors, scale);  // expect-high [per-tensor-loop]
    backward<<<4096, 256>>>(flat, 1 << 20);
    std::for_each(tensors.begin(), tensors.end(), update);  // expect-high [per-tensor-loop]
    // Each layer goes on from what the one before it has left.
    float *in = flat, *next = out;
    std::for_each(tensors.begin(), tensors.end(), [&](Tensor& t) {
      dense<<<(t.n + 255) / 256, 256>>>(t.weights, in, next, t.n);
      std::swap(in, next);
    });
  }
}
