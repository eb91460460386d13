// The argument lists of the wrapped cuBLAS functions, and a list of these functions. cuBLAS has each of them twice:
// with int, and with int64_t and the suffix _64.
#pragma once

#include <cstdint>

#include "runtime/shim/gemm_record.h"

namespace syncsniff::shim {

using Matrix = const void*;
using Scalar = const void*;

// Type: of the factors and the result, if the function's name gives it.
template <class Int, int Type>
struct Gemm {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int lda, Matrix, Int ldb, Scalar, void*,
                        Int ldc);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int, Matrix, Int, Scalar, void*,
                         Int) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), 1, Type, Type};
  }
};
template <class Int, int Type>
struct GemmBatched {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int lda, Matrix, Int ldb, Scalar, void*,
                        Int ldc, Int batch);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int, Matrix, Int, Scalar, void*, Int,
                         Int batch) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), uint64_t(batch), Type, Type};
  }
};
template <class Int, int Type>
struct GemmStrided {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int lda, int64_t, Matrix, Int ldb,
                        int64_t, Scalar, void*, Int ldc, int64_t, Int batch);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, Int, int64_t, Matrix, Int, int64_t,
                         Scalar, void*, Int, int64_t, Int batch) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), uint64_t(batch), Type, Type};
  }
};
template <class Int, int Type>
struct SgemmEx {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int lda, Matrix, int b, Int ldb,
                        Scalar, void*, int c, Int ldc);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int, Matrix, int, Int, Scalar,
                         void*, int c, Int) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), 1, a, c};
  }
};
template <class Int, int Type>
struct GemmEx {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int lda, Matrix, int b, Int ldb,
                        Scalar, void*, int c, Int ldc, int compute, int);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int, Matrix, int, Int, Scalar,
                         void*, int c, Int, int compute, int) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), 1, a, c, compute};
  }
};
template <class Int, int Type>
struct GemmBatchedEx {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int lda, Matrix, int b, Int ldb,
                        Scalar, void*, int c, Int ldc, Int batch, int compute, int);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int, Matrix, int, Int, Scalar,
                         void*, int c, Int, Int batch, int compute, int) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), uint64_t(batch), a, c, compute};
  }
};
template <class Int, int Type>
struct GemmStridedEx {
  using Signature = int(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int lda, int64_t, Matrix, int b,
                        Int ldb, int64_t, Scalar, void*, int c, Int ldc, int64_t, Int batch, int compute, int);
  static GemmShape shape(void*, int, int, Int m, Int n, Int k, Scalar, Matrix, int a, Int, int64_t, Matrix, int, Int,
                         int64_t, Scalar, void*, int c, Int, int64_t, Int batch, int compute, int) noexcept {
    return {uint64_t(m), uint64_t(n), uint64_t(k), uint64_t(batch), a, c, compute};
  }
};
// The shape is in the descriptors.
struct Matmul {
  using Signature = int(void*, const void* operation, Scalar, Matrix, const void* a, Matrix, const void* b, Scalar,
                        Matrix, const void* c, void*, const void* d, const void*, void*, uint64_t, void*);
};

// name, form, type
#define SYNCSNIFF_GEMMS_OF_INT(F)                       \
  F(cublasSgemm_v2, Gemm, kReal32)                      \
  F(cublasDgemm_v2, Gemm, kReal64)                      \
  F(cublasHgemm, Gemm, kReal16)                         \
  F(cublasCgemm_v2, Gemm, kComplex32)                   \
  F(cublasZgemm_v2, Gemm, kComplex64)                   \
  F(cublasSgemmBatched, GemmBatched, kReal32)           \
  F(cublasDgemmBatched, GemmBatched, kReal64)           \
  F(cublasHgemmBatched, GemmBatched, kReal16)           \
  F(cublasCgemmBatched, GemmBatched, kComplex32)        \
  F(cublasZgemmBatched, GemmBatched, kComplex64)        \
  F(cublasSgemmStridedBatched, GemmStrided, kReal32)    \
  F(cublasDgemmStridedBatched, GemmStrided, kReal64)    \
  F(cublasHgemmStridedBatched, GemmStrided, kReal16)    \
  F(cublasCgemmStridedBatched, GemmStrided, kComplex32) \
  F(cublasZgemmStridedBatched, GemmStrided, kComplex64) \
  F(cublasSgemmEx, SgemmEx, kNoType)                    \
  F(cublasGemmEx, GemmEx, kNoType)                      \
  F(cublasGemmBatchedEx, GemmBatchedEx, kNoType)        \
  F(cublasGemmStridedBatchedEx, GemmStridedEx, kNoType)

}  // namespace syncsniff::shim
