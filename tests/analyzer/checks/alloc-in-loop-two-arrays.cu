// A class whose constructor allocates twice: one finding where the object is made, which shows all that it costs.
#include <cuda_runtime.h>

__global__ void k(float* w, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] += x[i];
}
struct Table {
  float *keys, *values;
  explicit Table(int n) {
    cudaMalloc(&keys, n);
    cudaMalloc(&values, n);
  }
  ~Table() {
    cudaFree(keys);
    cudaFree(values);
  }
};
void query(int n) {
  Table table(n);  // expect-high [alloc-in-loop] expect-path [alloc-in-loop] alloc-in-loop-two-arrays.cu:25, alloc-in-loop-two-arrays.cu:25, alloc-in-loop-two-arrays.cu:11, alloc-in-loop-two-arrays.cu:15, alloc-in-loop-two-arrays.cu:12, alloc-in-loop-two-arrays.cu:16
  k<<<4, 256>>>(table.keys, table.values, n);
}

int main() {
  for (int i = 0; i < 1000; ++i) query(4096);
}
