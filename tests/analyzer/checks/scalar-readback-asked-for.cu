// A branch of the loop's own function that runs only where a call asks for it: told where one does.
#include <cublas_v2.h>

#include <cstdio>

__global__ void step(float* weights, float rate) { weights[threadIdx.x] -= rate; }

// Two waits: each is told here, with the call on its path.
void print_largest(cublasHandle_t handle, const float* weights, int count) {
  int largest = 0;
  cublasIsamax(handle, count, weights, 1, &largest);
  float value = 0;
  cudaMemcpy(&value, weights + largest - 1, sizeof value, cudaMemcpyDeviceToHost);
  printf("%d %f\n", largest, value);
}

void print_first(const float* weights) {
  float first = 0;
  cudaMemcpy(&first, weights, sizeof first, cudaMemcpyDeviceToHost);
  printf("%f\n", first);
}

void train(cublasHandle_t handle, float* weights, int steps, float rate, bool looks_closely = false) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 256>>>(weights, rate);
    if (looks_closely) print_largest(handle, weights, 256);
  }
}

void tune(float* weights, int steps, bool looks_closely = false) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 256>>>(weights, 0.5f);
    if (looks_closely) print_first(weights);  // expect-high [scalar-readback]
  }
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float* weights;
  cudaMalloc(&weights, 256 * sizeof(float));
  train(handle, weights, 1000, 0.1f);
  train(handle, weights, 1000, 0.01f, false);
  tune(weights, 1000);
  tune(weights, 1000, true);
}
