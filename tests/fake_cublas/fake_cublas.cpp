#include "tests/fake_cublas/fake_cublas.h"

#include <type_traits>

#include "tests/fake_driver/driver_api.h"

#define FAKE_API extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kInvalidValue = 7, kWrongHandle = 14;

struct Handle {
  int mode = 0;
} g_handle;
uint64_t g_arguments = 0;
CUfunction g_kernel = nullptr;

template <class T>
uint64_t word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(value);
}

// Two kernels a product, as a split one has.
template <class... A>
int product(void* handle, A... arguments) {
  if (handle != &g_handle) return kWrongHandle;
  g_arguments = 0;
  ((g_arguments = g_arguments * 1000003 + word(arguments)), ...);
  if (g_kernel == nullptr) cuModuleGetFunction(&g_kernel, nullptr, "busy_20us");
  for (int i = 0; i < 2; ++i) cuLaunchKernel(g_kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
  return 0;
}

template <class T>
int answer(T value, void* to, size_t bytes, size_t* written) {
  if (bytes != sizeof(T)) return kInvalidValue;
  *static_cast<T*>(to) = value;
  return *written = bytes, 0;
}

}  // namespace

FAKE_API int cublasCreate_v2(void** handle) { return *handle = &g_handle, 0; }
FAKE_API int cublasSetMathMode(void* handle, int mode) { return static_cast<Handle*>(handle)->mode = mode, 0; }
FAKE_API int cublasGetMathMode(void* handle, int* mode) { return *mode = static_cast<Handle*>(handle)->mode, 0; }
FAKE_API uint64_t fakeLastArguments() { return g_arguments; }

FAKE_API int cublasSgemm_v2(void* handle, int ta, int tb, int m, int n, int k, const float* alpha, const float* a,
                            int lda, const float* b, int ldb, const float* beta, float* c, int ldc) {
  return product(handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
FAKE_API int cublasDgemmBatched_64(void* handle, int ta, int tb, int64_t m, int64_t n, int64_t k, const double* alpha,
                                   const double* const a[], int64_t lda, const double* const b[], int64_t ldb,
                                   const double* beta, double* const c[], int64_t ldc, int64_t batch) {
  return product(handle, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch);
}
// By way of an exported function of its own, as the real library may: one product, not two.
FAKE_API int cublasGemmEx(void* handle, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int at,
                          int lda, const void* b, int bt, int ldb, const void* beta, void* c, int ct, int ldc,
                          int compute, int algo) {
  FakeMatmul operation;
  FakeLayout layout;
  const int result = cublasLtMatmul(handle, &operation, alpha, a, &layout, b, &layout, beta, c, &layout, c, &layout,
                                    nullptr, nullptr, 0, nullptr);
  g_arguments = 0;
  auto add = [](auto... arguments) { ((g_arguments = g_arguments * 1000003 + word(arguments)), ...); };
  add(ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, compute, algo);
  return result;
}
FAKE_API int cublasGemmStridedBatchedEx(void* handle, int ta, int tb, int m, int n, int k, const void* alpha,
                                        const void* a, int at, int lda, long long stride_a, const void* b, int bt,
                                        int ldb, long long stride_b, const void* beta, void* c, int ct, int ldc,
                                        long long stride_c, int batch, int compute, int algo) {
  return product(handle, ta, tb, m, n, k, alpha, a, at, lda, stride_a, b, bt, ldb, stride_b, beta, c, ct, ldc, stride_c,
                 batch, compute, algo);
}
FAKE_API int cublasLtMatmul(void* handle, FakeMatmul* operation, const void* alpha, const void* a, FakeLayout* a_layout,
                            const void* b, FakeLayout* b_layout, const void* beta, const void* c, FakeLayout* c_layout,
                            void* d, FakeLayout* d_layout, const void* algo, void* workspace, size_t bytes,
                            void* stream) {
  return product(handle, operation, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algo, workspace,
                 bytes, stream);
}

FAKE_API int cublasLtMatmulDescGetAttribute(FakeMatmul* operation, int attribute, void* value, size_t bytes,
                                            size_t* written) {
  switch (attribute) {
    case 0:
      return answer(operation->compute, value, bytes, written);
    case 3:
      return answer(operation->transpose_a, value, bytes, written);
    case 4:
      return answer(operation->transpose_b, value, bytes, written);
    default:
      return kInvalidValue;
  }
}
FAKE_API int cublasLtMatrixLayoutGetAttribute(FakeLayout* layout, int attribute, void* value, size_t bytes,
                                              size_t* written) {
  switch (attribute) {
    case 0:
      return answer(layout->type, value, bytes, written);
    case 2:
      return answer(layout->rows, value, bytes, written);
    case 3:
      return answer(layout->columns, value, bytes, written);
    case 5:
      return answer(layout->batch, value, bytes, written);
    default:
      return kInvalidValue;
  }
}
