// cuBLAS with its results on the device waits for nothing.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void run(cublasHandle_t handle, float* x, float* y, int n, int steps) {
  float* result;
  cudaMalloc(&result, sizeof(float));
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cublasSdot(handle, n, x, 1, y, 1, result);
    cublasSnrm2(handle, n, x, 1, result);
  }
}
