// NVTX names for CUDA runtime objects.
#pragma once

#include <cuda_runtime_api.h>

#include "nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif
void nvtxNameCudaDeviceA(int device, const char *name);
void nvtxNameCudaStreamA(cudaStream_t stream, const char *name);
void nvtxNameCudaEventA(cudaEvent_t event, const char *name);
#ifdef __cplusplus
}
#endif
