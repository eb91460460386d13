// The error macro of the trainers: a CUDA call that fails ends the program with its place and its reason.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                                             \
  do {                                                                                               \
    const cudaError_t cuda_check_error = (call);                                                     \
    if (cuda_check_error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(cuda_check_error)); \
      std::exit(EXIT_FAILURE);                                                                       \
    }                                                                                                \
  } while (0)
