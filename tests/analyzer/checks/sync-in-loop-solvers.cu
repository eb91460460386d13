// Factorisations and sparse products are the GPU's work, too.
// requires: cusolverDn.h
// requires: cusparse.h
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

void factorise(cusolverDnHandle_t solver, float* a, int n, float* space, int size, int* info, int steps) {
  for (int i = 0; i < steps; ++i) {
    cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, a, n, space, size, info);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
void multiply(cusparseHandle_t handle, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y,
              void* space, int steps) {
  const float one = 1, zero = 0;
  for (int i = 0; i < steps; ++i) {
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                 space);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
