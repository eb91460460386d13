// cuRAND's device interface.
#pragma once

#include <cuda_runtime.h>

#include "curand.h"

struct curandStateXORWOW { unsigned int d, v[5]; };
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned int STATE; };
struct curandStateMRG32k3a { unsigned int s1[3], s2[3]; };
typedef struct curandStateXORWOW curandState_t, curandState, curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
#ifdef __cplusplus
template <class State> __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, State *);
template <class State> __device__ unsigned int curand(State *);
template <class State> __device__ uint4 curand4(State *);
template <class State> __device__ float curand_uniform(State *);
template <class State> __device__ float4 curand_uniform4(State *);
template <class State> __device__ double curand_uniform_double(State *);
template <class State> __device__ float curand_normal(State *);
template <class State> __device__ float2 curand_normal2(State *);
template <class State> __device__ float4 curand_normal4(State *);
template <class State> __device__ double curand_normal_double(State *);
template <class State> __device__ unsigned int curand_poisson(State *, double);
#endif
