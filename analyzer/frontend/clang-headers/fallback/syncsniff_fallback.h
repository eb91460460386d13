// Force-included into .cu files where no CUDA toolkit is installed: declares what nvcc and cuda_runtime.h would.
// Device functions come from Clang's own headers, as far as those need no toolkit.
#pragma once

#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#pragma push_macro("__CUDA_ARCH__")
#define __CUDA_ARCH__ 9999
#include <__clang_cuda_builtin_vars.h>
#include <cuda_runtime.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__CUDA_ARCH__")

extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((malloc)) __attribute__((nothrow));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__device__ void __assert_fail(const char *, const char *, unsigned, const char *);
}

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

__device__ unsigned int __isGlobal(const void *);
__device__ unsigned int __isShared(const void *);
__device__ unsigned int __isConstant(const void *);
__device__ unsigned int __isLocal(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ void *__cvta_shared_to_generic(size_t);

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>

// Atomics: the second operand may have any type that converts to T, as with the overloads of the real headers.
template <class T> struct SyncsniffSame { typedef T type; };
#define SYNCSNIFF_ATOMIC(name)                                                                    \
  template <class T> __device__ T name(T *, typename SyncsniffSame<T>::type);                     \
  template <class T> __device__ T name##_block(T *, typename SyncsniffSame<T>::type);             \
  template <class T> __device__ T name##_system(T *, typename SyncsniffSame<T>::type);
SYNCSNIFF_ATOMIC(atomicAdd)
SYNCSNIFF_ATOMIC(atomicSub)
SYNCSNIFF_ATOMIC(atomicExch)
SYNCSNIFF_ATOMIC(atomicMin)
SYNCSNIFF_ATOMIC(atomicMax)
SYNCSNIFF_ATOMIC(atomicInc)
SYNCSNIFF_ATOMIC(atomicDec)
SYNCSNIFF_ATOMIC(atomicAnd)
SYNCSNIFF_ATOMIC(atomicOr)
SYNCSNIFF_ATOMIC(atomicXor)
#undef SYNCSNIFF_ATOMIC
template <class T> __device__ T atomicCAS(T *, typename SyncsniffSame<T>::type, typename SyncsniffSame<T>::type);

#define SYNCSNIFF_FALLBACK_HEADERS 1
