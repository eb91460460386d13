// C units hold most of some programs' wrappers; the launches are calls of the runtime or of cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check_error(cudaError_t status) {
  if (status != cudaSuccess) {
    printf("CUDA Error: %s\n", cudaGetErrorString(status));
    exit(1);
  }
}

static void wait_for_gpu(void) { check_error(cudaDeviceSynchronize()); }

int main(void) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *a, *b, *c;
  check_error(cudaMalloc((void **)&a, 4096));
  check_error(cudaMalloc((void **)&b, 4096));
  check_error(cudaMalloc((void **)&c, 4096));
  float one = 1, zero = 0;
  for (int i = 0; i < 1000; ++i) {
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 32, 32, 32, &one, a, 32, b, 32, &zero, c, 32);
    wait_for_gpu();  // expect-high {{cudaDeviceSynchronize}} [sync-in-loop]
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 32, 32, 32, &one, a, 32, c, 32, &zero, b, 32);
  }
  wait_for_gpu();
  cublasDestroy(handle);
  return 0;
}
