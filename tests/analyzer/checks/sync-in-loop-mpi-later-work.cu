// A wait for all of the device's work, behind which more work is enqueued before MPI uses the GPU's memory, is not the
// wait that MPI needs.
#include <cuda_runtime.h>

extern "C" int MPI_Allreduce(const void*, void*, int, int, int, int);

__global__ void step(float* to, const float* x, int n);

void softmax(float* x, int n) {
  step<<<4096, 256>>>(x, x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

int main(int ranks, char**) {
  const int n = 1 << 20;
  float *gradients, *sums, *w;
  cudaMalloc(&gradients, n * 4);
  cudaMalloc(&sums, n * 4);
  cudaMalloc(&w, n * 4);
  for (int i = 0; i < 10000; ++i) {
    softmax(w, n);
    step<<<4096, 256>>>(gradients, w, n);
    if (ranks > 1) {
      cudaDeviceSynchronize();
      MPI_Allreduce(gradients, sums, n, 0, 0, 0);
    }
    step<<<4096, 256>>>(w, sums, n);
  }
}
