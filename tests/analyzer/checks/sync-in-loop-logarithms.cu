// The logarithm in a function's name reports nothing.
#include <cuda_runtime.h>

__global__ void kernel(float* x, int n);

void log_softmax(float* x, int n) {
  kernel<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  kernel<<<64, 128>>>(x, n);
}

void log_likelihood_backward(float* x, int n) {
  kernel<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  kernel<<<64, 128>>>(x, n);
}

void log_progress(float* x, int n) {
  kernel<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  kernel<<<64, 128>>>(x, n);
}

void train(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    log_softmax(x, n);
    log_likelihood_backward(x, n);
    log_progress(x, n);
  }
}
