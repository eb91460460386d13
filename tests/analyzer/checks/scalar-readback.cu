// A few bytes fetched each step.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>

__global__ void k(float* x, int n);

struct Stats {
  float loss, norm;
};

float copies(float* x, float* device_loss, Stats* device_stats, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    float loss;
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high {{fetches 4 bytes}} [scalar-readback] expect-callee [scalar-readback] {{cudaMemcpy}}
    k<<<1, 256>>>(x, n);
    Stats stats;
    cudaMemcpy(&stats, device_stats, sizeof(stats), cudaMemcpyDeviceToHost);  // expect-high {{fetches 8 bytes}} [scalar-readback]
    k<<<1, 256>>>(x, n);
    int flags[16];
    cudaMemcpy(flags, x, sizeof(flags), cudaMemcpyDeviceToHost);  // expect-high {{fetches 64 bytes}} [scalar-readback]
    k<<<1, 256>>>(x, n);
    int many[17];
    cudaMemcpy(many, x, sizeof(many), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    total += loss + stats.loss + flags[0] + many[0];
  }
  return total;
}

float logged(float* x, float* device_loss, int n, int steps) {
  float loss = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i % 100 == 0) {
      cudaMemcpy(&loss, device_loss, sizeof(loss), cudaMemcpyDeviceToHost);  // expect-low [scalar-readback]
      printf("%f\n", loss);
    }
  }
  cudaMemcpy(&loss, device_loss, sizeof(loss), cudaMemcpyDeviceToHost);
  return loss;
}

float fetch(const float* device) {
  float value;
  cudaMemcpy(&value, device, sizeof(value), cudaMemcpyDeviceToHost);
  return value;
}

template <typename T>
void pull(T* to, const T* from, size_t count) {
  cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost);
}

float wrapped(float* x, float* device_loss, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    total += fetch(device_loss);  // expect-high {{cudaMemcpy fetches 4 bytes}} [scalar-readback] expect-callee [scalar-readback] {{cudaMemcpy}}
  }
  return total + fetch(device_loss);
}

// A small constant upload is no read-back.
void uploads(float* x, int* device_step, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(device_step, &i, sizeof(i), cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

float host_pointer_mode(cublasHandle_t handle, float* x, float* y, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    float result;
    int index;
    cublasSdot(handle, n, x, 1, y, 1, &result);   // expect-high {{cublasSdot}} [scalar-readback] expect-callee [scalar-readback] {{cublasSdot_v2}}
    cublasSnrm2(handle, n, x, 1, &result);        // expect-high {{returns its result to the host}} [scalar-readback]
    cublasSasum(handle, n, x, 1, &result);        // expect-high [scalar-readback]
    cublasIsamax(handle, n, x, 1, &index);        // expect-high [scalar-readback]
    cublasSaxpy(handle, n, &result, x, 1, y, 1);
    total += result + index;
  }
  return total;
}
