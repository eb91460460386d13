// CUDA's short vector types and dim3.
#pragma once

#include "host_defines.h"

#define SYNCSNIFF_VECTORS(type, scalar)            \
  struct type##1 { scalar x; };                    \
  struct type##2 { scalar x, y; };                 \
  struct type##3 { scalar x, y, z; };              \
  struct type##4 { scalar x, y, z, w; };           \
  typedef struct type##1 type##1;                  \
  typedef struct type##2 type##2;                  \
  typedef struct type##3 type##3;                  \
  typedef struct type##4 type##4;
SYNCSNIFF_VECTORS(char, signed char)
SYNCSNIFF_VECTORS(uchar, unsigned char)
SYNCSNIFF_VECTORS(short, short)
SYNCSNIFF_VECTORS(ushort, unsigned short)
SYNCSNIFF_VECTORS(int, int)
SYNCSNIFF_VECTORS(uint, unsigned int)
SYNCSNIFF_VECTORS(long, long)
SYNCSNIFF_VECTORS(ulong, unsigned long)
SYNCSNIFF_VECTORS(longlong, long long)
SYNCSNIFF_VECTORS(ulonglong, unsigned long long)
SYNCSNIFF_VECTORS(float, float)
SYNCSNIFF_VECTORS(double, double)
#undef SYNCSNIFF_VECTORS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
