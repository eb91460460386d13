// Functions of the program that are called as those of the C library are, but are others.
#include <cuda_runtime.h>

__global__ void k(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] *= 0.5f;
}
float* on_device;
void read(float* host, int n) { cudaMemcpy(host, on_device, n * 4, cudaMemcpyDeviceToHost); }
void write(const float* host, int n) { cudaMemcpy(on_device, host, n * 4, cudaMemcpyHostToDevice); }
int clock(float* w) {
  k<<<4, 256>>>(w, 1024);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  return 1;
}

int main() {
  static float host[4096];
  cudaMalloc(&on_device, sizeof host);
  for (int i = 0; i < 1000; ++i) {
    write(host, 4096);  // expect-high [blocking-copy-in-loop]
    k<<<16, 256>>>(on_device, 4096);
    read(host, 4096);  // expect-high [blocking-copy-in-loop]
    clock(on_device);
  }
}
