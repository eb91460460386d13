// cuBLAS and cuBLASLt at the C ABI, as far as tests need them: each product launches on the fake driver, and each copy
// of the library takes its own handles alone.
#pragma once

#include <cstddef>
#include <cstdint>

struct FakeLayout {
  uint32_t type = 0;
  uint64_t rows = 0, columns = 0;
  int32_t batch = 1;
};
struct FakeMatmul {
  uint32_t compute = 68;
  int32_t transpose_a = 0, transpose_b = 0;
};

extern "C" {
int cublasCreate_v2(void** handle);
int cublasSetMathMode(void* handle, int mode);
int cublasGetMathMode(void* handle, int* mode);
int cublasSgemm_v2(void* handle, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc);
int cublasDgemmBatched_64(void* handle, int ta, int tb, int64_t m, int64_t n, int64_t k, const double* alpha,
                          const double* const a[], int64_t lda, const double* const b[], int64_t ldb,
                          const double* beta, double* const c[], int64_t ldc, int64_t batch);
int cublasGemmEx(void* handle, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int at, int lda,
                 const void* b, int bt, int ldb, const void* beta, void* c, int ct, int ldc, int compute, int algo);
int cublasGemmStridedBatchedEx(void* handle, int ta, int tb, int m, int n, int k, const void* alpha, const void* a,
                               int at, int lda, long long stride_a, const void* b, int bt, int ldb, long long stride_b,
                               const void* beta, void* c, int ct, int ldc, long long stride_c, int batch, int compute,
                               int algo);
int cublasLtMatmul(void* handle, FakeMatmul* operation, const void* alpha, const void* a, FakeLayout* a_layout,
                   const void* b, FakeLayout* b_layout, const void* beta, const void* c, FakeLayout* c_layout, void* d,
                   FakeLayout* d_layout, const void* algo, void* workspace, size_t bytes, void* stream);
int cublasLtMatmulDescGetAttribute(FakeMatmul* operation, int attribute, void* value, size_t bytes, size_t* written);
int cublasLtMatrixLayoutGetAttribute(FakeLayout* layout, int attribute, void* value, size_t bytes, size_t* written);
// Of all arguments of the last product, in order: a changed or moved one changes it.
uint64_t fakeLastArguments();
}
