// make_float4 and the like.
#pragma once

#include "vector_types.h"

#define SYNCSNIFF_MAKERS(type, scalar)                                                                             \
  static __inline__ __host__ __device__ type##1 make_##type##1(scalar x) { type##1 v; v.x = x; return v; }          \
  static __inline__ __host__ __device__ type##2 make_##type##2(scalar x, scalar y) {                                \
    type##2 v; v.x = x; v.y = y; return v;                                                                          \
  }                                                                                                                 \
  static __inline__ __host__ __device__ type##3 make_##type##3(scalar x, scalar y, scalar z) {                      \
    type##3 v; v.x = x; v.y = y; v.z = z; return v;                                                                 \
  }                                                                                                                 \
  static __inline__ __host__ __device__ type##4 make_##type##4(scalar x, scalar y, scalar z, scalar w) {            \
    type##4 v; v.x = x; v.y = y; v.z = z; v.w = w; return v;                                                        \
  }
SYNCSNIFF_MAKERS(char, signed char)
SYNCSNIFF_MAKERS(uchar, unsigned char)
SYNCSNIFF_MAKERS(short, short)
SYNCSNIFF_MAKERS(ushort, unsigned short)
SYNCSNIFF_MAKERS(int, int)
SYNCSNIFF_MAKERS(uint, unsigned int)
SYNCSNIFF_MAKERS(long, long)
SYNCSNIFF_MAKERS(ulong, unsigned long)
SYNCSNIFF_MAKERS(longlong, long long)
SYNCSNIFF_MAKERS(ulonglong, unsigned long long)
SYNCSNIFF_MAKERS(float, float)
SYNCSNIFF_MAKERS(double, double)
#undef SYNCSNIFF_MAKERS
