// Waits that another wait makes for nothing.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void k(float* x, int n);
__global__ void other(float* x, int n);

void twice(float* x, int n, int steps, cudaStream_t stream) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, stream>>>(x, n);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
    cudaStreamSynchronize(stream);  // expect-high [redundant-sync] deleted by fix
    k<<<1, 256, 0, stream>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    printf("%d\n", i);
    cudaStreamSynchronize(stream);  // expect-high {{nothing was enqueued since 'cudaDeviceSynchronize'}} [redundant-sync]
  }
}

// One stream's wait says nothing about the other's.
void two_streams(float* x, int n, int steps, cudaStream_t a, cudaStream_t b) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, a>>>(x, n);
    other<<<1, 256, 0, b>>>(x, n);
    cudaStreamSynchronize(a);  // expect-high [sync-in-loop]
    cudaStreamSynchronize(b);  // expect-high [sync-in-loop]
  }
}

// A stream's wait does not cover the device's.
void stream_then_device(float* x, int n, int steps, cudaStream_t a) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, a>>>(x, n);
    other<<<1, 256>>>(x, n);
    cudaStreamSynchronize(a);  // expect-high [sync-in-loop]
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
}

void work_between(float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    other<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaMemset(x, 0, n * sizeof(float));
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// The first may be skipped: the second is needed where it is.
void behind_a_branch(float* x, int n, int steps, bool flush) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (flush) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaDeviceSynchronize();             // expect-high [sync-in-loop]
  }
}

// A helper that launches stands between them.
void enqueue_more(float* x, int n) { other<<<1, 256>>>(x, n); }
void helper_between(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    enqueue_more(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// A copy up does not wait for the kernels' results to be read: it is no read-back.
void before_upload(float* host, float* x, float* y, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    for (int j = 0; j < n; ++j) host[j] += 1.0f;
    cudaMemcpy(y, host, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
  }
}
