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

// Asking for the last error neither waits nor enqueues.
void asks(float* h, float* d, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    CHECK(cudaGetLastError());
    if (cudaPeekAtLastError() != cudaSuccess) exit(1);
    CHECK(cudaDeviceSynchronize());  // expect-high [redundant-sync]
  }
}

// The checking macro that most programs have: braces of its own, and a function that leaves.
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess && abort) exit(code);
}

void braces(float* h, float* d, int steps, bool sometimes) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(d);
    gpuErrchk(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    gpuErrchk(cudaDeviceSynchronize());  // expect-high [redundant-sync]
    k<<<1, 256>>>(d);
    if (sometimes) {
      gpuErrchk(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    }
    gpuErrchk(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
  }
}
