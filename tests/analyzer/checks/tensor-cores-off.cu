// level: 2
// Products of floats in FP32, and sizes that tensor cores do not like.
#include <cublas_v2.h>
#include <cuda_runtime.h>

void products(cublasHandle_t handle, const float* x, const float* w, float* y, int n, int steps) {
  const float one = 1.0f, zero = 0.0f;
  const double two = 1.0, none = 0.0;
  for (int step = 0; step < steps; ++step) {
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w, n, x, n, &zero, y, n);  // expect-high {{TF32}} [tensor-cores-off]
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w, CUDA_R_32F, n, x, CUDA_R_32F, n, &zero, y, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);  // expect-high [tensor-cores-off]
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 50257, n, 768, &one, w, CUDA_R_16BF, n, x, CUDA_R_16BF, n, &zero, y, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);  // expect-high {{m = 50257}} [tensor-cores-off]
    // TF32, pedantic and double are chosen.
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w, CUDA_R_32F, n, x, CUDA_R_32F, n, &zero, y, CUDA_R_32F, n, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT);
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, w, CUDA_R_32F, n, x, CUDA_R_32F, n, &zero, y, CUDA_R_32F, n, CUBLAS_COMPUTE_32F_PEDANTIC, CUBLAS_GEMM_DEFAULT);
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 7, 7, 7, &two, (const double*)w, n, (const double*)x, n, &none, (double*)y, n);
  }
}
