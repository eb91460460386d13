// CUDA's complex types.
#pragma once

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define make_cuFloatComplex make_float2
#define make_cuComplex make_float2
#define make_cuDoubleComplex make_double2
static __inline__ __host__ __device__ float cuCrealf(cuFloatComplex z) { return z.x; }
static __inline__ __host__ __device__ float cuCimagf(cuFloatComplex z) { return z.y; }
static __inline__ __host__ __device__ double cuCreal(cuDoubleComplex z) { return z.x; }
static __inline__ __host__ __device__ double cuCimag(cuDoubleComplex z) { return z.y; }
