// A library's function that is handed memory and makes some for itself is no set-up; one that makes what it is handed
// is, and so is one that gives that back.
#include <cuda_runtime.h>

__global__ void init(float* x, int n);
__global__ void forward(const float* x, float* y, int n);

struct Net {
  float* weights;
  int size;
};

static void run(const float* x, float* y, int n) {
  float* between;
  cudaMalloc(&between, n);  // expect-medium {{at each call of 'layer'}} [alloc-in-loop]
  forward<<<1, 256>>>(x, between, n);
  forward<<<1, 256>>>(between, y, n);
  cudaFree(between);
}
extern "C" void layer(const float* x, float* y, int n) {
  run(x, y, n);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
}

static void make(float** x, int n) {
  cudaMalloc(x, n);
  init<<<1, 256>>>(*x, n);
  cudaDeviceSynchronize();
}
extern "C" void net_create(Net* net) { make(&net->weights, net->size); }

static void release(float* x, int n) {
  init<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
}
extern "C" void net_destroy(Net* net) { release(net->weights, net->size); }

extern "C" float* vector_create(int n) {
  float* x;
  make(&x, n);
  return x;
}
