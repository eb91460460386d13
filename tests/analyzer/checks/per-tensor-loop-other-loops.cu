#include <cuda_runtime.h>

__global__ void axpy(float* y, const float* x, float a, int n);
__global__ void chunk(float* x, int n);

// One device each.
void on_devices(float** per_device, int devices, int n) {
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    axpy<<<1, 256>>>(per_device[d], per_device[d], 0.1f, n);
  }
}

// A tree reduction: strides halve.
void reduce(float* x, int n) {
  for (int stride = n / 2; stride > 0; stride /= 2) axpy<<<1, 256>>>(x, x + stride, 1.0f, stride);
}

// Chunks of one buffer, by pointer arithmetic.
void chunks(float* x, int n, int size) {
  for (int at = 0; at < n; at += size) chunk<<<1, 256>>>(x + at, size);
}

void train(float** w, float* a, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    on_devices(w, 8, n);
    reduce(a, n);
    chunks(a, n, 1024);
  }
}
