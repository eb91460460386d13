// One array split over streams: the launches run side by side on purpose. The same loop on one stream does not.
#include <cuda_runtime.h>

__global__ void scale(float* x, int n) { x[threadIdx.x] *= n; }

__global__ void copy_part(int part, const float* from, float* to) {
  __shared__ float all[256];
  all[threadIdx.x] = from[part * 1024 + threadIdx.x];
  __syncthreads();
  to[part * 1024 + threadIdx.x] = all[255 - threadIdx.x];
}

int main() {
  constexpr int kStreams = 4;
  float *d, *a, *b, *c, *e, *f;
  for (float** array : {&a, &b, &c, &e, &f}) cudaMalloc(array, 1 << 20);
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
  // Five kernels a part: the host launches them one by one, and that sets the pace.
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < kStreams; ++i) {  // expect-medium [per-tensor-loop]
      copy_part<<<4, 256, 0, streams[i]>>>(i, d, a);
      copy_part<<<4, 256, 0, streams[i]>>>(i, a, b);
      copy_part<<<4, 256, 0, streams[i]>>>(i, b, c);
      copy_part<<<4, 256, 0, streams[i]>>>(i, c, e);
      copy_part<<<4, 256, 0, streams[i]>>>(i, e, f);
    }
  }
  for (int i = 0; i < kStreams; ++i) cudaStreamDestroy(streams[i]);
  cudaDeviceSynchronize();
}
