// Behind the usual checking macros.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                       \
  do {                                                    \
    cudaError_t e = call;                                 \
    if (e != cudaSuccess) {                               \
      fprintf(stderr, "%s\n", cudaGetErrorString(e));     \
      exit(1);                                            \
    }                                                     \
  } while (0)

__global__ void k(float* x, int n);

int main() {
  const int n = 1 << 20;
  float* x;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  float* host = (float*)malloc(n * sizeof(float));
  for (int step = 0; step < 100; ++step) {
    k<<<1, 256>>>(x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());  // expect-high [redundant-sync]
    CHECK(cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost));  // expect-high [blocking-copy-in-loop] expect-high [pageable-copy-in-loop]
    printf("%f\n", host[0]);
  }
  free(host);
}
