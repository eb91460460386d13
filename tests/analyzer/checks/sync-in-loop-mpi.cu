// MPI uses the GPU's memory at once, outside of any stream.
#include <cuda_runtime.h>

typedef int MPI_Comm;
extern "C" int MPI_Allreduce(const void*, void*, int, int, int, MPI_Comm);
extern "C" int MPI_Barrier(MPI_Comm);

__global__ void step(float* to, const float* x, int n);

int main() {
  const int n = 1 << 20;
  float *gradients, *sums, *w;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&gradients, n * 4);
  cudaMalloc(&sums, n * 4);
  cudaMalloc(&w, n * 4);
  for (int i = 0; i < 10000; ++i) {
    step<<<4096, 256, 0, stream>>>(gradients, w, n);
    cudaStreamSynchronize(stream);
    MPI_Allreduce(gradients, sums, n, 0, 0, 0);
    step<<<4096, 256, 0, stream>>>(w, sums, n);
  }
  for (int i = 0; i < 10000; ++i) {
    step<<<4096, 256, 0, stream>>>(gradients, w, n);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
    MPI_Barrier(0);
    step<<<4096, 256, 0, stream>>>(w, gradients, n);
  }
}
