// Adversarial for the deletion: each of these waits is needed, and something looks as if it were not.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

__global__ void k(float* x, int n);

// memcpy, fwrite, std::ofstream::write read pinned memory that an asynchronous copy fills.
void written_out(float* x, float* other, float* host, int n, int steps, cudaStream_t s, FILE* f) {
  float* pinned;
  cudaMallocHost(&pinned, n * 4);
  std::vector<float> keep(n);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(pinned, x, n * 4, cudaMemcpyDeviceToHost, s);  // expect-high [blocking-copy-in-loop]
    cudaStreamSynchronize(s);
    fwrite(pinned, 4, n, f);
    cudaMemcpy(host, other, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(pinned, x, n * 4, cudaMemcpyDeviceToHost, s);  // expect-high [blocking-copy-in-loop]
    cudaStreamSynchronize(s);
    memcpy(keep.data(), pinned, n * 4);
    cudaMemcpy(host, other, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

// The copy asks for the pointers that the host computes from managed memory.
struct Header { int count; float* data; };
void dependent(Header* header_unused, float* host, int steps) {
  Header* header;
  cudaMallocManaged(&header, sizeof(Header));
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(header->data, 4);
    cudaDeviceSynchronize();
    cudaMemcpy(host, header->data, header->count * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

// A callback or a graph is enqueued between.
void between(float* x, float* host, int n, int steps, cudaStream_t s, cudaGraphExec_t graph) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    cudaGraphLaunch(graph, s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    cudaMemsetAsync(x, 0, n, s);
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

// A loop between launches.
void loop_between(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    for (int j = 0; j < 3; ++j) k<<<1, 256>>>(x, j);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// The wait before stands in one branch, with its launch.
void branches(float* x, int n, int steps, bool a) {
  for (int i = 0; i < steps; ++i) {
    if (a) {
      k<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    } else {
      k<<<1, 128>>>(x, n);
    }
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// goto and continue go round the first wait.
void jumps(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i == 7) goto second;
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  second:
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
