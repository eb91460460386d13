// A framework's library: it needs cuBLAS and is itself loaded with dlopen, so that cuBLAS lies in no global scope.
#include "tests/fake_cublas/fake_cublas.h"

#define LIBRARY_API extern "C" __attribute__((visibility("default")))

namespace {
void* handle_of_this() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  return handle;
}
// Nothing reads them: what counts is that each arrives as it was.
void* at(uintptr_t number) { return reinterpret_cast<void*>(number); }
template <class T>
T* of(uintptr_t number) {
  return static_cast<T*>(at(number));
}
}  // namespace

// Each of them returns the status, and stores what the library says of its arguments.
LIBRARY_API int library_products(uint64_t* arguments, int mode) {
  void* const handle = handle_of_this();
  cublasSetMathMode(handle, mode);
  int failed = cublasSgemm_v2(handle, 0, 1, 64, 32, 16, of<float>(1), of<float>(2), 3, of<float>(4), 5, of<float>(6),
                              of<float>(7), 8);
  arguments[0] = fakeLastArguments();
  failed |= cublasDgemmBatched_64(handle, 1, 0, 1ll << 33, 2, 3, of<double>(4), of<double*>(5), 6, of<double*>(7), 8,
                                  of<double>(9), of<double*>(10), 11, 12);
  arguments[1] = fakeLastArguments();
  failed |= cublasGemmEx(handle, 0, 0, 128, 256, 512, at(1), at(2), 14, 3, at(4), 14, 5, at(6), at(7), 0, 8, 68, 9);
  arguments[2] = fakeLastArguments();
  failed |= cublasGemmStridedBatchedEx(handle, 1, 0, 10, 20, 30, at(1), at(2), 2, 3, 1ll << 40, at(4), 2, 5, 6, at(7),
                                       at(8), 2, 9, 10, 11, 64, 12);
  arguments[3] = fakeLastArguments();
  FakeMatmul operation;
  operation.transpose_a = 1;
  operation.compute = 77;
  FakeLayout a{0, 700, 300, 4}, b{0, 700, 500, 4}, d{0, 300, 500, 4};
  failed |= cublasLtMatmul(handle, &operation, at(1), at(2), &a, at(3), &b, at(4), at(5), &d, at(6), &d, at(7), at(8),
                           9, nullptr);
  return failed;
}
