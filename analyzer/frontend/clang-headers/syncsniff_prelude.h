// Declares what nvcc gives every .cu file and Clang 19 does not; force-included after Clang's CUDA wrapper.
// Declarations only: nothing here is ever compiled to code.
#pragma once

#include <cmath>
#include <time.h>

// Clang has managed variables only in HIP; the analyzer reads this annotation instead.
#undef __managed__
#define __managed__ __attribute__((annotate("cuda_managed")))

// Cache-hinted loads and stores (sm_32_intrinsics.h, which Clang's wrapper leaves out).
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldlu(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ void __stwb(T *, T);
template <class T> __device__ void __stcg(T *, T);
template <class T> __device__ void __stcs(T *, T);
template <class T> __device__ void __stwt(T *, T);

// nvcc's <math.h> leaves these visible in the global namespace for host code.
using std::isfinite;
using std::isinf;
using std::isnan;
using std::isnormal;
using std::signbit;

// nvcc's global min and max accept mixed types on the host as well (crt/math_functions.h).
#define SYNCSNIFF_MIN_MAX(result, a, b)   \
  __host__ result min(const a, const b); \
  __host__ result max(const a, const b);
SYNCSNIFF_MIN_MAX(int, int, int)
SYNCSNIFF_MIN_MAX(unsigned int, unsigned int, unsigned int)
SYNCSNIFF_MIN_MAX(unsigned int, int, unsigned int)
SYNCSNIFF_MIN_MAX(unsigned int, unsigned int, int)
SYNCSNIFF_MIN_MAX(long int, long int, long int)
SYNCSNIFF_MIN_MAX(unsigned long int, unsigned long int, unsigned long int)
SYNCSNIFF_MIN_MAX(unsigned long int, long int, unsigned long int)
SYNCSNIFF_MIN_MAX(unsigned long int, unsigned long int, long int)
SYNCSNIFF_MIN_MAX(long long int, long long int, long long int)
SYNCSNIFF_MIN_MAX(unsigned long long int, unsigned long long int, unsigned long long int)
SYNCSNIFF_MIN_MAX(unsigned long long int, long long int, unsigned long long int)
SYNCSNIFF_MIN_MAX(unsigned long long int, unsigned long long int, long long int)
SYNCSNIFF_MIN_MAX(float, float, float)
SYNCSNIFF_MIN_MAX(double, double, double)
SYNCSNIFF_MIN_MAX(double, float, double)
SYNCSNIFF_MIN_MAX(double, double, float)
#undef SYNCSNIFF_MIN_MAX

// Removed in CUDA 13, but existing programs still call them.
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
extern "C" cudaError_t cudaThreadSynchronize(void);
extern "C" cudaError_t cudaThreadExit(void);
__host__ cudaError_t cudaMemAdvise(const void *, size_t, enum cudaMemoryAdvise, int);
__host__ cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
#endif

// The compiler's version, which programs test before they use a newer API.
#if defined(CUDART_VERSION) && !defined(__CUDACC_VER_MAJOR__)
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ ((CUDART_VERSION % 1000) / 10)
#define __CUDACC_VER_BUILD__ 0
#endif
