// bfloat16 in host and device code: the type, its arithmetic, and the intrinsics that kernels use. Declarations only.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
struct __align__(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float value);
  __host__ __device__ __nv_bfloat16(double value);
  __host__ __device__ __nv_bfloat16(int value);
  __host__ __device__ __nv_bfloat16(unsigned int value);
  __host__ __device__ __nv_bfloat16(long value);
  __host__ __device__ __nv_bfloat16(unsigned long value);
  __host__ __device__ __nv_bfloat16(long long value);
  __host__ __device__ __nv_bfloat16(unsigned long long value);
  __host__ __device__ __nv_bfloat16(short value);
  __host__ __device__ __nv_bfloat16(unsigned short value);
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
  __host__ __device__ __nv_bfloat16 &operator=(float value);
  __host__ __device__ __nv_bfloat16 &operator=(double value);
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b);
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

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
SYNCSNIFF_ARITHMETIC(__nv_bfloat16)
SYNCSNIFF_ARITHMETIC(__nv_bfloat162)
#undef SYNCSNIFF_ARITHMETIC

#define SYNCSNIFF_BINARY(name)                                \
  __host__ __device__ __nv_bfloat16 __h##name(__nv_bfloat16, __nv_bfloat16);       \
  __host__ __device__ __nv_bfloat162 __h##name##2(__nv_bfloat162, __nv_bfloat162);
SYNCSNIFF_BINARY(add)
SYNCSNIFF_BINARY(sub)
SYNCSNIFF_BINARY(mul)
SYNCSNIFF_BINARY(min)
SYNCSNIFF_BINARY(max)
SYNCSNIFF_BINARY(min_nan)
SYNCSNIFF_BINARY(max_nan)
#undef SYNCSNIFF_BINARY
#define SYNCSNIFF_COMPARE(name)                    \
  __host__ __device__ bool __h##name(__nv_bfloat16, __nv_bfloat16);
SYNCSNIFF_COMPARE(eq)
SYNCSNIFF_COMPARE(ne)
SYNCSNIFF_COMPARE(lt)
SYNCSNIFF_COMPARE(le)
SYNCSNIFF_COMPARE(gt)
SYNCSNIFF_COMPARE(ge)
#undef SYNCSNIFF_COMPARE
#define SYNCSNIFF_UNARY(name)                    \
  __device__ __nv_bfloat16 h##name(__nv_bfloat16);              \
  __device__ __nv_bfloat162 h2##name(__nv_bfloat162);
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
__host__ __device__ __nv_bfloat16 __hdiv(__nv_bfloat16, __nv_bfloat16);
__host__ __device__ __nv_bfloat16 __hneg(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __habs(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 __h2div(__nv_bfloat162, __nv_bfloat162);
__host__ __device__ __nv_bfloat162 __habs2(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __hneg2(__nv_bfloat162);
__device__ __nv_bfloat16 __hfma(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__host__ __device__ bool __hisnan(__nv_bfloat16);
__host__ __device__ int __hisinf(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __float2bfloat16(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double);
__host__ __device__ float __bfloat162float(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float, float);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
__host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
__host__ __device__ float __low2float(__nv_bfloat162);
__host__ __device__ float __high2float(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
__host__ __device__ int __bfloat162int_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __int2bfloat16_rn(int);
__host__ __device__ unsigned int __bfloat162uint_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __uint2bfloat16_rn(unsigned int);
__host__ __device__ short __bfloat162short_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __short2bfloat16_rn(short);
__host__ __device__ unsigned short __bfloat162ushort_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __ushort2bfloat16_rn(unsigned short);
__host__ __device__ long long __bfloat162ll_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __ll2bfloat16_rn(long long);
__host__ __device__ unsigned long long __bfloat162ull_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __ull2bfloat16_rn(unsigned long long);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *, __nv_bfloat16);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *, __nv_bfloat162);
__device__ __nv_bfloat16 __shfl_sync(unsigned, __nv_bfloat16, int, int = 32);
__device__ __nv_bfloat16 __shfl_up_sync(unsigned, __nv_bfloat16, unsigned, int = 32);
__device__ __nv_bfloat16 __shfl_down_sync(unsigned, __nv_bfloat16, unsigned, int = 32);
__device__ __nv_bfloat16 __shfl_xor_sync(unsigned, __nv_bfloat16, int, int = 32);
__device__ __nv_bfloat162 __shfl_down_sync(unsigned, __nv_bfloat162, unsigned, int = 32);
__device__ __nv_bfloat162 __shfl_xor_sync(unsigned, __nv_bfloat162, int, int = 32);
__device__ __nv_bfloat16 __ldg(const __nv_bfloat16 *);
__device__ __nv_bfloat162 __ldg(const __nv_bfloat162 *);
#endif
