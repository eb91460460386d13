// CHECK(call) is a macro of a block: calls in different blocks of that kind still run one after the other.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                       \
  {                                       \
    if (call != CUBLAS_STATUS_SUCCESS) {  \
      fprintf(stderr, "error %d", call); \
      exit(1);                            \
    }                                     \
  }
#define CHECK_CUDA(call)              \
  do {                                \
    cudaError_t status = call;        \
    if (status != cudaSuccess) abort(); \
  } while (0)

struct Residual {
  cublasHandle_t handle;
  float *first, *second, *out;
  float one = 1;
  int count;
  void forward() {
    CHECK(cublasSaxpy(handle, count, &one, first, 1, out, 1));  // expect-high [unfused-elementwise-chain]
    CHECK(cublasSaxpy(handle, count, &one, second, 1, out, 1));
  }
};

__global__ void add(float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}
__global__ void relu(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] > 0 ? x[i] : 0;
}
cudaError_t add_all(float* x, const float* y, int n) {
  add<<<(n + 255) / 256, 256>>>(x, y, n);
  return cudaGetLastError();
}
cudaError_t relu_all(float* x, int n) {
  relu<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
// Two launches, each in a block: the function launches both, and is no choice of one.
cudaError_t add_twice(float* x, const float* y, const float* z, int n) {
  CHECK_CUDA(add_all(x, y, n));  // expect-high [unfused-elementwise-chain]
  CHECK_CUDA(add_all(x, z, n));
  return cudaSuccess;
}
// One of the two runs.
void add_or_relu(int kind, float* x, const float* y, int n) {
  switch (kind) {
    case 0: {
      CHECK_CUDA(add_all(x, y, n));
      break;
    }
    default: {
      CHECK_CUDA(relu_all(x, n));
      break;
    }
  }
}

void train(Residual& layer, float* x, const float* y, const float* z, int n, int kind) {
  for (int step = 0; step < 1000; ++step) {
    layer.forward();
    CHECK_CUDA(add_all(x, y, n));  // expect-high [unfused-elementwise-chain]
    CHECK_CUDA(relu_all(x, n));
    CHECK_CUDA(cudaMemsetAsync(x, 0, n));
    CHECK_CUDA(add_twice(x, y, z, n));
    CHECK_CUDA(cudaMemsetAsync(x, 0, n));
    add_or_relu(kind, x, y, n);
  }
}
