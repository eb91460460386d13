// A table of pinned pointers: the table is pageable, what its entries point to is not.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void k(float* x, int n);

struct Loader {
  float** slots;
};

void run(float* x, int n, int steps, cudaStream_t s) {
  float** table = (float**)malloc(2 * sizeof(float*));
  for (int i = 0; i < 2; ++i) cudaMallocHost((void**)&table[i], n * sizeof(float));
  Loader loader;
  loader.slots = new float*[2];
  for (int i = 0; i < 2; ++i) cudaMallocHost(&loader.slots[i], n * sizeof(float));
  float** filled_elsewhere = (float**)malloc(2 * sizeof(float*));
  void fill(float**);
  fill(filled_elsewhere);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, table[step % 2], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, loader.slots[step % 2], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, *table, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, filled_elsewhere[step % 2], n * 4, cudaMemcpyHostToDevice, s);
    k<<<1, 256, 0, s>>>(x, n);
  }
}
