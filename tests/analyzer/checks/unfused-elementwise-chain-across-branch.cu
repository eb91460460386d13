// A chain that begins in a branch and goes on behind it, as in an optimizer whose momentum may be off.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void decay(float* gradient, const float* weights, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gradient[i] += rate * weights[i];
}
__global__ void clip(float* gradient, float most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) gradient[i] = gradient[i] > most ? most : gradient[i];
}
__global__ void update(float* weights, const float* gradient, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] -= rate * gradient[i];
}
__global__ void backward(float* gradient, const float* weights, int n);

struct Optimizer {
  cublasHandle_t handle;
  float momentum, rate, penalty;
  int size;

  void step(float* weights, float* gradient, float* history) {
    if (momentum > 0) {
      cublasSaxpy(handle, size, &momentum, history, 1, gradient, 1);  // expect-high [unfused-elementwise-chain] {{2 elementwise kernels in a row}}
    }
    cublasSaxpy(handle, size, &rate, gradient, 1, weights, 1);
  }

  // The three of them where both conditions hold.
  void step_with_penalty(float* weights, float* gradient) {
    if (penalty > 0) {
      if (rate != 1) decay<<<4, 256>>>(gradient, weights, penalty, size);  // expect-high [unfused-elementwise-chain] {{3 elementwise kernels in a row}}
      clip<<<4, 256>>>(gradient, 5.0f, size);
    }
    update<<<4, 256>>>(weights, gradient, rate, size);
  }

  // One time in many, the other branch, or a return: no run has both, or none that counts.
  void step_now_and_then(float* weights, float* gradient, int iteration) {
    if (iteration % 1000 == 0) clip<<<4, 256>>>(gradient, 5.0f, size);
    update<<<4, 256>>>(weights, gradient, rate, size);
  }
  void step_or_clip(float* weights, float* gradient) {
    if (penalty > 0)
      clip<<<4, 256>>>(gradient, 5.0f, size);
    else
      update<<<4, 256>>>(weights, gradient, rate, size);
  }
  void step_alone(float* weights, float* gradient) {
    if (penalty > 0) {
      clip<<<4, 256>>>(gradient, 5.0f, size);
      return;
    }
    update<<<4, 256>>>(weights, gradient, rate, size);
  }
};

int main() {
  float *weights = nullptr, *gradient = nullptr, *history = nullptr;
  cudaMalloc(&weights, 4096);
  cudaMalloc(&gradient, 4096);
  cudaMalloc(&history, 4096);
  Optimizer optimizer{};
  cublasCreate(&optimizer.handle);
  for (int i = 0; i < 10000; ++i) {
    backward<<<4, 256>>>(gradient, weights, 1024);
    optimizer.step(weights, gradient, history);
    backward<<<4, 256>>>(gradient, weights, 1024);
    optimizer.step_with_penalty(weights, gradient);
    backward<<<4, 256>>>(gradient, weights, 1024);
    optimizer.step_now_and_then(weights, gradient, i);
    backward<<<4, 256>>>(gradient, weights, 1024);
    optimizer.step_or_clip(weights, gradient);
    backward<<<4, 256>>>(gradient, weights, 1024);
    optimizer.step_alone(weights, gradient);
  }
}
