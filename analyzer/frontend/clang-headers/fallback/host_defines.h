// CUDA's function and variable attributes, as Clang spells them; nothing outside CUDA.
#pragma once

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __cluster_dims__(...)
#define __maxnreg__(...)
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
// __noinline__ is a keyword of Clang's in CUDA; as a macro it would break libstdc++'s __attribute__((__noinline__)).
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

// A default argument in C++, nothing in C.
#ifdef __cplusplus
#define SYNCSNIFF_DEFAULT(value) = value
#define SYNCSNIFF_ENUM(name) enum name : int
#else
#define SYNCSNIFF_DEFAULT(value)
#define SYNCSNIFF_ENUM(name) enum name
#endif
