// A template is declared without a side and defined with __host__, as nvcc lets it; another one builds a functor that is
// for the device alone.
#include <cuda_runtime.h>

template <class T>
void add(T* a, int n);

template <class T>
__global__ void add_kernel(T* a, int n);

template <class T>
__host__ void add(T* a, int n) {
  add_kernel<<<64, 128>>>(a, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

void train(float* x, int steps, int n) {
  for (int i = 0; i < steps; ++i) add(x, n);
}
