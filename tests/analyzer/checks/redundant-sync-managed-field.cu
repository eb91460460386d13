#include <cuda_runtime.h>
#include <vector>

__global__ void k(float* x, int n);

// The first waits for the kernel that writes managed memory, which the host then reads through a reference.
struct Result { float value; };
float managed(int n, int steps, float* host, float* x) {
  Result* r;
  cudaMallocManaged(&r, sizeof(Result));
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(&r->value, n);
    cudaDeviceSynchronize();
    total += r->value;
    cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  return total;
}
