// Blocks of a matrix are worked on in turn, and what the struct remembers is which block is on the GPU. That is no flag
// that says on which side the newer copy is: nothing here keeps two copies up to date.
#include <cuda_runtime.h>

#include <vector>

__global__ void k(float* block, int n);

void check(cudaError_t code) {
  if (code != cudaSuccess) throw code;
}

struct Blocks {
  float* host;
  float* gpu;
  int current = 0;
};

void update(Blocks* blocks, const std::vector<int>& order, int n, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (size_t i = 0; i < order.size(); ++i) {
      const int wanted = order[i];
      if (blocks->current != wanted) {
        // expect-high@+1 {{blocks the host until the data are copied from the GPU}} [blocking-copy-in-loop]
        cudaMemcpy(blocks->host + blocks->current * n, blocks->gpu, n * 4, cudaMemcpyDeviceToHost);
        check(cudaGetLastError());
        // expect-high@+1 {{blocks the host until the data are copied to the GPU}} [blocking-copy-in-loop]
        cudaMemcpy(blocks->gpu, blocks->host + wanted * n, n * 4, cudaMemcpyHostToDevice);
      }
      blocks->current = wanted;
      k<<<4, 256>>>(blocks->gpu, n);
    }
  }
}
