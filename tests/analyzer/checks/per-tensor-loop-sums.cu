// A sum over the samples of a batch, one launch for each: the order of the terms does not matter, so one launch can add
// them all. A loop that reads the sum goes on from what the iteration before left.
#include <cuda_runtime.h>

__global__ void add_to_bias(int n, const float* gradient, float* bias) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bias[i] += gradient[i];
}
__global__ void add_rows(int n, int length, const float* gradient, float* bias) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* row = gradient + i * length;
  float sum = 0;
  for (int k = 0; k < length; ++k) sum += row[k];  // expect-high [strided-by-thread]
  bias[i] += sum;
}
__global__ void difference(int n, const float* x, const float* mean, float* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = x[i] - mean[i];
}
__global__ void decay(int n, const float* x, float* state) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) state[i] = 0.9f * state[i] + x[i];
}

void bias_gradient(const float* gradient, float* bias, int samples, int n) {
  for (int s = 0; s < samples; ++s)  // expect-high [per-tensor-loop]
    add_to_bias<<<(n + 255) / 256, 256>>>(n, gradient + s * n, bias);
}
void bias_of_planes(const float* gradient, float* bias, int samples, int n, int length) {
  for (int s = 0; s < samples; ++s) {  // expect-high [per-tensor-loop]
    const float* sample = gradient + s * n * length;
    add_rows<<<(n + 255) / 256, 256>>>(n, length, sample, bias);
  }
}
void running_mean(const float* x, float* mean, float* scratch, int samples, int n) {
  for (int s = 0; s < samples; ++s) {
    // expect-high@+1 [unfused-elementwise-chain]
    difference<<<(n + 255) / 256, 256>>>(n, x + s * n, mean, scratch);
    add_to_bias<<<(n + 255) / 256, 256>>>(n, scratch, mean);
  }
}
void recurrence(const float* x, float* state, int samples, int n) {
  for (int s = 0; s < samples; ++s) decay<<<(n + 255) / 256, 256>>>(n, x + s * n, state);
}

int main() {
  float *x = nullptr, *bias = nullptr;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&bias, 1 << 20);
  for (int step = 0; step < 1000; ++step) {
    bias_gradient(x, bias, 64, 128);
    bias_of_planes(x, bias, 64, 128, 49);
    running_mean(x, bias, bias + 1024, 64, 128);
    recurrence(x, bias + 2048, 64, 128);
  }
}
