// One array split over streams: the launches run side by side on purpose. The same loop on one stream does not.
#include <cuda_runtime.h>

__global__ void scale(float* x, int n) { x[threadIdx.x] *= n; }

int main() {
  constexpr int kStreams = 4;
  float* d;
  cudaStream_t streams[kStreams];
  cudaMalloc(&d, 1 << 20);
  for (int i = 0; i < kStreams; ++i) cudaStreamCreate(&streams[i]);
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < kStreams; ++i)  // expect-low [per-tensor-loop]
      scale<<<4, 256, 0, streams[i]>>>(d + i * 1024, 5);
  }
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < kStreams; ++i)  // expect-high [per-tensor-loop]
      scale<<<4, 256, 0, streams[0]>>>(d + i * 1024, 5);
  }
  for (int i = 0; i < kStreams; ++i) cudaStreamDestroy(streams[i]);
  cudaDeviceSynchronize();
}
