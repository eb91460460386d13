// Half precision in host and device code: the type, its arithmetic, and the intrinsics that kernels use. Declarations only.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
struct __align__(2) __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float value);
  __host__ __device__ __half(double value);
  __host__ __device__ __half(int value);
  __host__ __device__ __half(unsigned int value);
  __host__ __device__ __half(long value);
  __host__ __device__ __half(unsigned long value);
  __host__ __device__ __half(long long value);
  __host__ __device__ __half(unsigned long long value);
  __host__ __device__ __half(short value);
  __host__ __device__ __half(unsigned short value);
  __host__ __device__ operator float() const;
  __host__ __device__ explicit operator bool() const;
  __host__ __device__ explicit operator int() const;
  __host__ __device__ explicit operator unsigned int() const;
  __host__ __device__ explicit operator long() const;
  __host__ __device__ explicit operator unsigned long() const;
  __host__ __device__ explicit operator long long() const;
  __host__ __device__ explicit operator short() const;
  __host__ __device__ explicit operator unsigned short() const;
  __host__ __device__ explicit operator signed char() const;
  __host__ __device__ explicit operator unsigned char() const;
  __host__ __device__ __half &operator=(float value);
  __host__ __device__ __half &operator=(double value);
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half &a, const __half &b);
};
typedef __half half;
typedef __half2 half2;

#define SYNCSNIFF_ARITHMETIC(T)                                                                      \
  __host__ __device__ T operator+(const T &, const T &);                                             \
  __host__ __device__ T operator-(const T &, const T &);                                             \
  __host__ __device__ T operator*(const T &, const T &);                                             \
  __host__ __device__ T operator/(const T &, const T &);                                             \
  __host__ __device__ T &operator+=(T &, const T &);                                                 \
  __host__ __device__ T &operator-=(T &, const T &);                                                 \
  __host__ __device__ T &operator*=(T &, const T &);                                                 \
  __host__ __device__ T &operator/=(T &, const T &);                                                 \
  __host__ __device__ T operator-(const T &);                                                        \
  __host__ __device__ bool operator==(const T &, const T &);                                         \
  __host__ __device__ bool operator!=(const T &, const T &);                                         \
  __host__ __device__ bool operator<(const T &, const T &);                                          \
  __host__ __device__ bool operator>(const T &, const T &);                                          \
  __host__ __device__ bool operator<=(const T &, const T &);                                         \
  __host__ __device__ bool operator>=(const T &, const T &);
SYNCSNIFF_ARITHMETIC(__half)
SYNCSNIFF_ARITHMETIC(__half2)
#undef SYNCSNIFF_ARITHMETIC

#define SYNCSNIFF_BINARY(name)                                \
  __host__ __device__ __half __h##name(__half, __half);       \
  __host__ __device__ __half2 __h##name##2(__half2, __half2);
SYNCSNIFF_BINARY(add)
SYNCSNIFF_BINARY(sub)
SYNCSNIFF_BINARY(mul)
SYNCSNIFF_BINARY(min)
SYNCSNIFF_BINARY(max)
SYNCSNIFF_BINARY(min_nan)
SYNCSNIFF_BINARY(max_nan)
#undef SYNCSNIFF_BINARY
#define SYNCSNIFF_COMPARE(name)                    \
  __host__ __device__ bool __h##name(__half, __half);
SYNCSNIFF_COMPARE(eq)
SYNCSNIFF_COMPARE(ne)
SYNCSNIFF_COMPARE(lt)
SYNCSNIFF_COMPARE(le)
SYNCSNIFF_COMPARE(gt)
SYNCSNIFF_COMPARE(ge)
#undef SYNCSNIFF_COMPARE
#define SYNCSNIFF_UNARY(name)                    \
  __device__ __half h##name(__half);              \
  __device__ __half2 h2##name(__half2);
SYNCSNIFF_UNARY(exp)
SYNCSNIFF_UNARY(exp2)
SYNCSNIFF_UNARY(log)
SYNCSNIFF_UNARY(log2)
SYNCSNIFF_UNARY(sqrt)
SYNCSNIFF_UNARY(rsqrt)
SYNCSNIFF_UNARY(rcp)
SYNCSNIFF_UNARY(sin)
SYNCSNIFF_UNARY(cos)
SYNCSNIFF_UNARY(tanh)
SYNCSNIFF_UNARY(floor)
SYNCSNIFF_UNARY(ceil)
SYNCSNIFF_UNARY(trunc)
SYNCSNIFF_UNARY(rint)
#undef SYNCSNIFF_UNARY
__host__ __device__ __half __hdiv(__half, __half);
__host__ __device__ __half __hneg(__half);
__host__ __device__ __half __habs(__half);
__host__ __device__ __half2 __h2div(__half2, __half2);
__host__ __device__ __half2 __habs2(__half2);
__host__ __device__ __half2 __hneg2(__half2);
__device__ __half __hfma(__half, __half, __half);
__device__ __half2 __hfma2(__half2, __half2, __half2);
__host__ __device__ bool __hisnan(__half);
__host__ __device__ int __hisinf(__half);
__host__ __device__ __half __float2half(float);
__host__ __device__ __half __float2half_rn(float);
__host__ __device__ __half __float2half_rz(float);
__host__ __device__ __half __float2half_rd(float);
__host__ __device__ __half __float2half_ru(float);
__host__ __device__ __half __double2half(double);
__host__ __device__ float __half2float(__half);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ __half2 __floats2half2_rn(float, float);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ __half2 __half2half2(__half);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ __half __low2half(__half2);
__host__ __device__ __half __high2half(__half2);
__host__ __device__ float __low2float(__half2);
__host__ __device__ float __high2float(__half2);
__host__ __device__ __half2 make_half2(__half, __half);
__host__ __device__ int __half2int_rn(__half);
__host__ __device__ __half __int2half_rn(int);
__host__ __device__ unsigned int __half2uint_rn(__half);
__host__ __device__ __half __uint2half_rn(unsigned int);
__host__ __device__ short __half2short_rn(__half);
__host__ __device__ __half __short2half_rn(short);
__host__ __device__ unsigned short __half2ushort_rn(__half);
__host__ __device__ __half __ushort2half_rn(unsigned short);
__host__ __device__ long long __half2ll_rn(__half);
__host__ __device__ __half __ll2half_rn(long long);
__host__ __device__ unsigned long long __half2ull_rn(__half);
__host__ __device__ __half __ull2half_rn(unsigned long long);
__host__ __device__ __half __ushort_as_half(unsigned short);
__host__ __device__ unsigned short __half_as_ushort(__half);
__device__ __half atomicAdd(__half *, __half);
__device__ __half2 atomicAdd(__half2 *, __half2);
__device__ __half __shfl_sync(unsigned, __half, int, int = 32);
__device__ __half __shfl_up_sync(unsigned, __half, unsigned, int = 32);
__device__ __half __shfl_down_sync(unsigned, __half, unsigned, int = 32);
__device__ __half __shfl_xor_sync(unsigned, __half, int, int = 32);
__device__ __half2 __shfl_down_sync(unsigned, __half2, unsigned, int = 32);
__device__ __half2 __shfl_xor_sync(unsigned, __half2, int, int = 32);
__device__ __half __ldg(const __half *);
__device__ __half2 __ldg(const __half2 *);
#endif
