#include "common/matmul.h"

#include <cublas_v2.h>

#include <vector>

#define CUBLAS_CHECK(call)                                                                                 \
  do {                                                                                                     \
    const cublasStatus_t cublas_check_status = (call);                                                     \
    if (cublas_check_status != CUBLAS_STATUS_SUCCESS) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cublasGetStatusString(cublas_check_status)); \
      std::exit(EXIT_FAILURE);                                                                             \
    }                                                                                                      \
  } while (0)

namespace {
constexpr float kOne = 1.0f;
constexpr float kZero = 0.0f;
}  // namespace

// cuBLAS is column-major: a row-major c = a b is asked for as its transpose, c^T = b^T a^T.
Matmul::Matmul(cudaStream_t stream, int max_rows) : ones_(static_cast<std::size_t>(max_rows)) {
  CUBLAS_CHECK(cublasCreate(&handle_));
  CUBLAS_CHECK(cublasSetStream(handle_, stream));
  const std::vector<float> ones(ones_.count(), 1.0f);
  CUDA_CHECK(cudaMemcpy(ones_.data(), ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice));
}

Matmul::~Matmul() { cublasDestroy(handle_); }

void Matmul::multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  CUBLAS_CHECK(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &kOne, b, n, a, k, &kZero, c, n));
}

void Matmul::multiply_b_transposed(const float* a, const float* b, float* c, int m, int n, int k) {
  CUBLAS_CHECK(cublasSgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &kOne, b, k, a, k, &kZero, c, n));
}

void Matmul::multiply_a_transposed(const float* a, const float* b, float* c, int m, int n, int k) {
  CUBLAS_CHECK(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &kOne, b, n, a, m, &kZero, c, n));
}

void Matmul::column_sums(const float* a, float* sums, int m, int n) {
  CUBLAS_CHECK(cublasSgemv(handle_, CUBLAS_OP_N, n, m, &kOne, a, n, ones_.data(), 1, &kZero, sums, 1));
}
