// Waits whose result the host needs next, or that take the time, are not what this rule is about.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <ctime>

__global__ void k(float* x, int n);

// An asynchronous copy back into pinned memory, read at once: the wait is needed, and with the copy it is one read-back.
float read_pinned(float* x, int n, int steps, cudaStream_t stream) {
  float* host;
  cudaMallocHost(&host, n * sizeof(float));
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    cudaMemcpyAsync(host, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);  // expect-high [blocking-copy-in-loop]
    cudaStreamSynchronize(stream);
    total += host[0];
  }
  cudaFreeHost(host);
  return total;
}

float read_behind_event(float* x, float* host_pinned, int n, int steps, cudaStream_t stream, cudaEvent_t copied) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    // expect-high@+1 [blocking-copy-in-loop]
    cudaMemcpyAsync(host_pinned, x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(copied, stream);
    cudaEventSynchronize(copied);
    for (int j = 0; j < n; ++j) total += host_pinned[j];
  }
  return total;
}

// Managed memory is readable only after the wait.
float read_managed(int n, int steps) {
  float* x;
  cudaMallocManaged(&x, n * sizeof(float));
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();
    total += x[0];
  }
  return total;
}
