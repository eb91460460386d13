// A sweep over sizes that double ends after some 60 rounds: what it makes, copies and waits for in each is set-up of one
// measurement. What repeats within a round is told, and so is a loop that counts.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* a, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2.f;
}

void bandwidth(size_t most) {
  for (size_t n = 1024; n <= most; n *= 2) {
    float *d, *h = (float*)malloc(n * 4);
    cudaMalloc(&d, n * 4);
    cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d, n);
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    cudaFree(d);
    free(h);
  }
}

void shrink(float* d, float* h, size_t n) {
  while (n > 1) {
    scale<<<1, 256>>>(d, n);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
    printf("%f\n", h[0]);
    n = (n >> 1);
  }
}

void repeats(float* d, size_t most, int rounds) {
  for (size_t n = 1024; n <= most; n <<= 1) {
    for (int round = 0; round < rounds; ++round) {
      float value;
      scale<<<1, 256>>>(d, n);
      cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);  // expect-high {{}} [branch-on-device]
      if (value > 3) scale<<<1, 256>>>(d, n);
    }
  }
}

// A rate that falls by a hundredth has many rounds, and so has one that is halved now and then.
void anneal(float* d) {
  for (float heat = 1000; heat > 1e-3f; heat *= 0.99f) {
    float value;
    scale<<<1, 256>>>(d, 100);
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);  // expect-high {{}} [scalar-readback]
    printf("%f\n", value);
  }
  float rate = 1;
  while (rate > 1e-6f) {
    float value;
    scale<<<1, 256>>>(d, 100);
    cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);  // expect-high {{}} [scalar-readback]
    if (value > 1) rate /= 2;
  }
}

int main() {
  float *d, h[1024] = {};
  cudaMalloc(&d, 4096);
  bandwidth(1 << 28);
  shrink(d, h, 1024);
  repeats(d, 1 << 20, 1000);
  anneal(d);
}
