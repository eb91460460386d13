// Waits that look doubled, where something between them needs the first.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>

__global__ void k(float* x, int n);

double wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The clock is read between: without the wait it would time the launch.
void clock_between(float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    const double start = wall();
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-low {{to time the GPU work}} [sync-in-loop]
    const double stop = wall();
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    printf("%f\n", stop - start);
  }
}

// The host reads pinned memory that the device writes, before the copy of something else.
float host_read_between(float* host, float* x, int n, int steps, cudaStream_t stream) {
  float* flag;
  cudaMallocHost(&flag, sizeof(float));
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    cudaMemcpyAsync(flag, x, sizeof(float), cudaMemcpyDeviceToHost, stream);  // expect-high [scalar-readback]
    cudaStreamSynchronize(stream);
    total += *flag;
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  return total;
}

// In another iteration: the wait at the top of the loop is for the last launch of the one before.
void rotated(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
  cudaDeviceSynchronize();
}

// A pageable asynchronous copy up does not wait for kernels on other streams.
void stream_wait_before_copy_on_another(float* host, float* x, int n, int steps, cudaStream_t a, cudaStream_t b) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, a>>>(x, n);
    cudaStreamSynchronize(a);  // expect-high [sync-in-loop]
    cudaMemcpyAsync(host, x, n * sizeof(float), cudaMemcpyDeviceToHost, b);
  }
}

// An event's wait covers what came before its record, not the whole device.
void event_then_device(float* x, int n, int steps, cudaStream_t s, cudaEvent_t e) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(e, s);
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventSynchronize(e);   // expect-high [sync-in-loop]
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
}
