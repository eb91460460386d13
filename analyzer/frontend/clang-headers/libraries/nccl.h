// NCCL's types, and its functions as syncsniff's own tables list them, for machines without NCCL.
#pragma once

#include <cuda_runtime_api.h>

typedef struct ncclComm *ncclComm_t;
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;
typedef enum {
  ncclSuccess = 0, ncclUnhandledCudaError = 1, ncclSystemError = 2, ncclInternalError = 3, ncclInvalidArgument = 4,
  ncclInvalidUsage = 5, ncclRemoteError = 6, ncclInProgress = 7
} ncclResult_t;
typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4 } ncclRedOp_t;
typedef enum {
  ncclInt8 = 0, ncclChar = 0, ncclUint8 = 1, ncclInt32 = 2, ncclInt = 2, ncclUint32 = 3, ncclInt64 = 4, ncclUint64 = 5,
  ncclFloat16 = 6, ncclHalf = 6, ncclFloat32 = 7, ncclFloat = 7, ncclFloat64 = 8, ncclDouble = 8, ncclBfloat16 = 9
} ncclDataType_t;
typedef struct ncclConfig_v21700 { size_t size; int blocking, cgaClusterSize, minCTAs, maxCTAs, splitShare; } ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER {sizeof(ncclConfig_t), 1, 0, 0, 0, 0}

#ifndef SYNCSNIFF_DEFAULT
#ifdef __cplusplus
#define SYNCSNIFF_DEFAULT(value) = value
#else
#define SYNCSNIFF_DEFAULT(value)
#endif
#endif
#include "nccl_functions.h"
