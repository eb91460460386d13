#pragma once
#include <cuda_runtime_api.h>

void step(float* device, const float* host, cudaStream_t stream);
