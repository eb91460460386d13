// A loop around a query waits.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void spin(float* x, int n, int steps, cudaStream_t s, cudaEvent_t e) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    cudaEventRecord(e, s);
    while (cudaEventQuery(e) == cudaErrorNotReady) {  // expect-high [sync-in-loop]
    }
  }
}

// Asked once an iteration, the query waits for nothing.
bool ask(float* x, int n, int steps, cudaStream_t s, cudaEvent_t e) {
  bool done = false;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    if (cudaEventQuery(e) == cudaSuccess) done = true;
    done |= cudaStreamQuery(s) == cudaSuccess;
  }
  return done;
}
