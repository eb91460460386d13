// Waits that a blocking copy back makes for nothing: nobody in this program has a stream of his own.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void before_copy(float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high {{it is immediately followed by 'cudaMemcpy'}} [redundant-sync]
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}

void after_copy(float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    cudaDeviceSynchronize();  // expect-high {{nothing was enqueued since 'cudaMemcpy'}} [redundant-sync]
  }
}

// The result of the wait is used: its error belongs to the kernel.
bool checked(float* x, float* host, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaError_t kernel_error = cudaDeviceSynchronize();  // expect-high [redundant-sync]
    cudaError_t copy_error = cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    if (kernel_error != cudaSuccess || copy_error != cudaSuccess) return false;
  }
  return true;
}

// The host reads what the kernel wrote before the copy does.
void read_between(float* managed, float* host, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    managed[1] = managed[0];
    cudaMemcpy(host, x, n * 4, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}
