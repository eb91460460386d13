// A benchmark of several kernels that it starts through a pointer: each iteration repeats one of them between two times.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void copy(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
__global__ void reverse(float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[n - 1 - i] = x[i];
}
__global__ void decay(float* w, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] = 0.9f * w[i] + x[i];
}

bool same(const float* a, const float* b, int n);

// Starts each kernel of a list.
void benchmark(float* y, const float* x, float* host, const float* reference, int n) {
  void (*kernel)(float*, const float*, int) = nullptr;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int which = 0; which < 20; ++which) {
    switch (which) {
      case 0: kernel = &copy; break;
      default: kernel = &reverse; break;
    }
    kernel<<<4096, 256>>>(y, x, n);
    cudaEventRecord(begin);
    for (int i = 0; i < 100; ++i) kernel<<<4096, 256>>>(y, x, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);  // expect-low [sync-in-loop]
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    cudaMemcpy(host, y, n * 4, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
    std::printf("%d: %f ms, %s\n", which, ms, same(host, reference, n) ? "right" : "wrong");
    for (int i = 0; i < n; ++i) host[i] = 0;
    cudaMemcpy(y, host, n * 4, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop]
  }
}

// One of the kernels goes on from what is there: these are steps.
void run(float* w, const float* x, float* host, int steps, bool decays) {
  void (*kernel)(float*, const float*, int) = decays ? &decay : &copy;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int step = 0; step < steps; ++step) {
    cudaEventRecord(begin);
    for (int i = 0; i < 100; ++i) kernel<<<4096, 256>>>(w, x, 1024);
    cudaEventRecord(end);
    cudaEventSynchronize(end);  // expect-low [sync-in-loop]
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    cudaMemcpy(host, w, 4096, cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
    std::printf("%f %f\n", ms, host[0]);
  }
}

// The kernel may be one of code that is not read.
using Kernel = void (*)(float*, const float*, int);
Kernel load_kernel(const char* name);
void benchmark_or_run(float* y, const float* x, float* host, int n, bool plugin) {
  Kernel kernel = &copy;
  if (plugin) kernel = load_kernel("decay");
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int which = 0; which < 20; ++which) {
    cudaEventRecord(begin);
    for (int i = 0; i < 100; ++i) kernel<<<4096, 256>>>(y, x, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);  // expect-low [sync-in-loop]
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    cudaMemcpy(host, y, 4096, cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
    std::printf("%f %f\n", ms, host[0]);
  }
}

int main(int argc, char**) {
  const int n = 1 << 20;
  float *x, *y, *host = new float[n], *reference = new float[n];
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  benchmark(y, x, host, reference, n);
  run(y, x, host, 1000, argc > 1);
  benchmark_or_run(y, x, host, n, argc > 2);
}
