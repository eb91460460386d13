// Pinned memory that kernels work on in place: the host may read it only after a wait.
#include <cuda_runtime.h>

__global__ void step(float* to, const float* x, int n);
double use(const float* x, int n);

int main() {
  const int n = 4096;
  float *host, *mapped, *direct, *apart, *x;
  cudaHostAlloc(&host, n * 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  cudaMallocHost(&direct, n * 4);
  cudaMallocHost(&apart, n * 4);
  cudaMalloc(&x, n * 4);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    step<<<16, 256>>>(mapped, x, n);
    cudaDeviceSynchronize();
    sum += use(host, n);
  }
  for (int i = 0; i < 10000; ++i) {
    step<<<16, 256>>>(direct, x, n);
    cudaDeviceSynchronize();
    sum += direct[i % n];
  }
  // The host works on other memory.
  for (int i = 0; i < 10000; ++i) {
    step<<<16, 256>>>(mapped, x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    sum += use(apart, n);
  }
  return sum > 0;
}
