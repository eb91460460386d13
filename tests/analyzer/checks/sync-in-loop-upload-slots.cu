// Two pinned buffers: the wait covers the upload alone, and the GPU computes meanwhile.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void k(float* p);
void fill(float* p, FILE* file) { fread(p, 4, 1 << 18, file); }

int main() {
  float *host[2], *device;
  cudaEvent_t uploaded, early;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEventCreate(&uploaded);
  cudaEventCreate(&early);
  for (auto& one : host) cudaMallocHost(&one, 1 << 20);
  cudaMalloc(&device, 1 << 20);
  FILE* file = fopen("x", "rb");
  fill(host[0], file);
  for (int i = 0; i < 1000; ++i) {
    cudaMemcpyAsync(device, host[i & 1], 1 << 20, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(uploaded, stream);
    k<<<1024, 256, 0, stream>>>(device);
    fill(host[(i + 1) & 1], file);
    cudaEventSynchronize(uploaded);
  }
  // Before the kernel is launched, the GPU has nothing else to do.
  for (int i = 0; i < 1000; ++i) {
    cudaMemcpyAsync(device, host[i & 1], 1 << 20, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(early, stream);
    cudaEventSynchronize(early);  // expect-high [sync-in-loop]
    k<<<1024, 256, 0, stream>>>(device);
  }
}
