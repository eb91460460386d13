// What fix deletes must leave a program that compiles and still looks at errors; the edits are asserted in fixes' tests.
#include <cuda_runtime.h>
#include <cstdlib>

#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
__global__ void k(float* x);

void run(float* h, float* d, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(d);
    CHECK(cudaDeviceSynchronize());  // expect-high [redundant-sync]
    cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    (void)cudaDeviceSynchronize();  // expect-high [redundant-sync]
  }
}
