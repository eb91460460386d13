// The driver's C ABI as the fake exports it and the test clients call it: the same types, no CUDA header needed.
#pragma once

#include <cstddef>
#include <cstdint>

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUstream = void*;
using CUevent = void*;
using CUcontext = void*;
using CUmodule = void*;
using CUfunction = void*;
using CUgraph = void*;
using CUgraphExec = void*;

constexpr CUresult kCudaSuccess = 0, kCudaInvalidValue = 1, kCudaNotFound = 500, kCudaNotReady = 600;
constexpr uint64_t kPerThreadFlag = 2;
constexpr unsigned kStreamNonBlocking = 1;

// name, parameters: entry points without a stream.
#define FAKE_PLAIN_FUNCTIONS(F)                                                         \
  F(cuInit, (unsigned flags))                                                           \
  F(cuDriverGetVersion, (int* version))                                                 \
  F(cuDeviceGetCount, (int* count))                                                     \
  F(cuDeviceGet, (CUdevice * device, int ordinal))                                      \
  F(cuDeviceGetName, (char* name, int bytes, CUdevice device))                          \
  F(cuDeviceGetAttribute, (int* value, int attribute, CUdevice device))                 \
  F(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                   \
  F(cuCtxCreate_v2, (CUcontext * context, unsigned flags, CUdevice device))             \
  F(cuCtxSetCurrent, (CUcontext context))                                               \
  F(cuCtxGetDevice, (CUdevice * device))                                                \
  F(cuCtxSynchronize, (void))                                                           \
  F(cuCtxSynchronize_v2, (CUcontext context))                                           \
  F(cuStreamCreate, (CUstream * stream, unsigned flags))                                \
  F(cuStreamDestroy_v2, (CUstream stream))                                              \
  F(cuEventCreate, (CUevent * event, unsigned flags))                                   \
  F(cuEventDestroy_v2, (CUevent event))                                                 \
  F(cuEventQuery, (CUevent event))                                                      \
  F(cuEventSynchronize, (CUevent event))                                                \
  F(cuModuleLoadData, (CUmodule * module, const void* image))                           \
  F(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char* name))    \
  F(cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))                               \
  F(cuMemAllocManaged, (CUdeviceptr * address, size_t bytes, unsigned flags))           \
  F(cuMemFree_v2, (CUdeviceptr address))                                                \
  F(cuMemAllocHost_v2, (void** address, size_t bytes))                                  \
  F(cuMemHostAlloc, (void** address, size_t bytes, unsigned flags))                     \
  F(cuMemFreeHost, (void* address))                                                     \
  F(cuMemHostRegister_v2, (void* address, size_t bytes, unsigned flags))                \
  F(cuMemHostUnregister, (void* address))                                               \
  F(cuPointerGetAttribute, (void* data, int attribute, CUdeviceptr address))            \
  F(cuGraphInstantiateWithFlags, (CUgraphExec * made, CUgraph graph, uint64_t flags))   \
  F(cuGraphClone, (CUgraph * made, CUgraph graph))                                      \
  F(cuGraphDestroy, (CUgraph graph))                                                    \
  F(cuGraphExecKernelNodeSetParams_v2, (CUgraphExec exec, void* node, const void* set)) \
  F(cuGetProcAddress, (const char* name, void** function, int version, uint64_t flags)) \
  F(cuGetProcAddress_v2, (const char* name, void** function, int version, uint64_t flags, int* status))

// Entry points that take a stream, or use the default one: each exists twice, `name` and `name suffix`.
// name, suffix, parameters, arguments passed on.
#define FAKE_STREAM_FUNCTIONS(F)                                                                         \
  F(cuStreamSynchronize, _ptsz, (CUstream stream), (stream))                                             \
  F(cuStreamQuery, _ptsz, (CUstream stream), (stream))                                                   \
  F(cuStreamWaitEvent, _ptsz, (CUstream stream, CUevent event, unsigned flags), (stream, event, flags))  \
  F(cuEventRecord, _ptsz, (CUevent event, CUstream stream), (event, stream))                             \
  F(cuLaunchKernel, _ptsz,                                                                               \
    (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,  \
     unsigned bytes, CUstream stream, void** parameters, void** extra),                                  \
    (function, gx, gy, gz, bx, by, bz, bytes, stream, parameters, extra))                                \
  F(cuLaunchKernelEx, _ptsz, (const void* config, CUfunction function, void** parameters, void** extra), \
    (config, function, parameters, extra))                                                               \
  F(cuGraphLaunch, _ptsz, (CUgraphExec graph, CUstream stream), (graph, stream))                         \
  F(cuMemcpyHtoD_v2, _ptds, (CUdeviceptr dst, const void* src, size_t bytes), (dst, src, bytes))         \
  F(cuMemcpyDtoH_v2, _ptds, (void* dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))               \
  F(cuMemcpy, _ptds, (CUdeviceptr dst, CUdeviceptr src, size_t bytes), (dst, src, bytes))                \
  F(cuMemcpyHtoDAsync_v2, _ptsz, (CUdeviceptr dst, const void* src, size_t bytes, CUstream stream),      \
    (dst, src, bytes, stream))                                                                           \
  F(cuMemcpyDtoHAsync_v2, _ptsz, (void* dst, CUdeviceptr src, size_t bytes, CUstream stream),            \
    (dst, src, bytes, stream))                                                                           \
  F(cuMemcpyAsync, _ptsz, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream),             \
    (dst, src, bytes, stream))                                                                           \
  F(cuMemsetD8Async, _ptsz, (CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream),       \
    (dst, value, bytes, stream))                                                                         \
  F(cuStreamBeginCapture_v2, _ptsz, (CUstream stream, int mode), (stream, mode))                         \
  F(cuStreamEndCapture, _ptsz, (CUstream stream, CUgraph * graph), (stream, graph))

#define FAKE_DECLARE_PLAIN(name, parameters) extern "C" CUresult name parameters;
#define FAKE_DECLARE_STREAM(name, suffix, parameters, arguments) \
  extern "C" CUresult name parameters;                           \
  extern "C" CUresult name##suffix parameters;
FAKE_PLAIN_FUNCTIONS(FAKE_DECLARE_PLAIN)
FAKE_STREAM_FUNCTIONS(FAKE_DECLARE_STREAM)
