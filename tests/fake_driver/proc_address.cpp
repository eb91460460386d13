// cuGetProcAddress of the fake: names without suffix, the newest symbol that the version allows, and another pointer
// for the per-thread default stream.
#include <cstring>

#include "tests/fake_driver/driver_api.h"
#include "tests/fake_driver/engine.h"

namespace {

struct Entry {
  const char* name;
  int since;
  void* legacy;
  void* per_thread;
};

#define P(name) reinterpret_cast<void*>(&name)
const Entry kEntries[] = {
    {"cuInit", 2000, P(cuInit), nullptr},
    {"cuDriverGetVersion", 2020, P(cuDriverGetVersion), nullptr},
    {"cuDeviceGetCount", 2000, P(cuDeviceGetCount), nullptr},
    {"cuDeviceGet", 2000, P(cuDeviceGet), nullptr},
    {"cuDevicePrimaryCtxRetain", 7000, P(cuDevicePrimaryCtxRetain), nullptr},
    {"cuCtxCreate", 3020, P(cuCtxCreate_v2), nullptr},
    {"cuCtxSetCurrent", 4000, P(cuCtxSetCurrent), nullptr},
    {"cuCtxGetDevice", 2000, P(cuCtxGetDevice), nullptr},
    {"cuCtxSynchronize", 2000, P(cuCtxSynchronize), nullptr},
    {"cuCtxSynchronize", 13000, P(cuCtxSynchronize_v2), nullptr},
    {"cuStreamCreate", 2000, P(cuStreamCreate), nullptr},
    {"cuStreamDestroy", 4000, P(cuStreamDestroy_v2), nullptr},
    {"cuStreamSynchronize", 2000, P(cuStreamSynchronize), P(cuStreamSynchronize_ptsz)},
    {"cuStreamQuery", 2000, P(cuStreamQuery), P(cuStreamQuery_ptsz)},
    {"cuStreamWaitEvent", 3020, P(cuStreamWaitEvent), P(cuStreamWaitEvent_ptsz)},
    {"cuStreamBeginCapture", 10010, P(cuStreamBeginCapture_v2), P(cuStreamBeginCapture_v2_ptsz)},
    {"cuStreamEndCapture", 10000, P(cuStreamEndCapture), P(cuStreamEndCapture_ptsz)},
    {"cuEventCreate", 2000, P(cuEventCreate), nullptr},
    {"cuEventDestroy", 4000, P(cuEventDestroy_v2), nullptr},
    {"cuEventQuery", 2000, P(cuEventQuery), nullptr},
    {"cuEventSynchronize", 2000, P(cuEventSynchronize), nullptr},
    {"cuEventRecord", 2000, P(cuEventRecord), P(cuEventRecord_ptsz)},
    {"cuModuleLoadData", 2000, P(cuModuleLoadData), nullptr},
    {"cuModuleGetFunction", 2000, P(cuModuleGetFunction), nullptr},
    {"cuLaunchKernel", 4000, P(cuLaunchKernel), P(cuLaunchKernel_ptsz)},
    {"cuLaunchKernelEx", 11060, P(cuLaunchKernelEx), P(cuLaunchKernelEx_ptsz)},
    {"cuGraphInstantiateWithFlags", 11040, P(cuGraphInstantiateWithFlags), nullptr},
    {"cuGraphClone", 10000, P(cuGraphClone), nullptr},
    {"cuGraphDestroy", 10000, P(cuGraphDestroy), nullptr},
    {"cuGraphExecKernelNodeSetParams", 12000, P(cuGraphExecKernelNodeSetParams_v2), nullptr},
    {"cuGraphLaunch", 10000, P(cuGraphLaunch), P(cuGraphLaunch_ptsz)},
    {"cuMemAlloc", 3020, P(cuMemAlloc_v2), nullptr},
    {"cuMemAllocManaged", 6000, P(cuMemAllocManaged), nullptr},
    {"cuMemFree", 3020, P(cuMemFree_v2), nullptr},
    {"cuMemAllocHost", 3020, P(cuMemAllocHost_v2), nullptr},
    {"cuMemHostAlloc", 2020, P(cuMemHostAlloc), nullptr},
    {"cuMemFreeHost", 2000, P(cuMemFreeHost), nullptr},
    {"cuMemHostRegister", 6050, P(cuMemHostRegister_v2), nullptr},
    {"cuMemHostUnregister", 4000, P(cuMemHostUnregister), nullptr},
    {"cuPointerGetAttribute", 4000, P(cuPointerGetAttribute), nullptr},
    {"cuMemcpyHtoD", 3020, P(cuMemcpyHtoD_v2), P(cuMemcpyHtoD_v2_ptds)},
    {"cuMemcpyDtoH", 3020, P(cuMemcpyDtoH_v2), P(cuMemcpyDtoH_v2_ptds)},
    {"cuMemcpy", 4000, P(cuMemcpy), P(cuMemcpy_ptds)},
    {"cuMemcpyHtoDAsync", 3020, P(cuMemcpyHtoDAsync_v2), P(cuMemcpyHtoDAsync_v2_ptsz)},
    {"cuMemcpyDtoHAsync", 3020, P(cuMemcpyDtoHAsync_v2), P(cuMemcpyDtoHAsync_v2_ptsz)},
    {"cuMemcpyAsync", 4000, P(cuMemcpyAsync), P(cuMemcpyAsync_ptsz)},
    {"cuMemsetD8Async", 3020, P(cuMemsetD8Async), P(cuMemsetD8Async_ptsz)},
    {"cuGetProcAddress", 11030, P(cuGetProcAddress), nullptr},
    {"cuGetProcAddress", 12000, P(cuGetProcAddress_v2), nullptr},
};
#undef P

CUresult find(const char* name, void** function, int version, uint64_t flags) {
  *function = nullptr;
  for (const Entry& entry : kEntries)
    if (std::strcmp(entry.name, name) == 0 && entry.since <= version)
      *function = (flags & kPerThreadFlag) != 0 && entry.per_thread != nullptr ? entry.per_thread : entry.legacy;
  return *function != nullptr ? kCudaSuccess : kCudaNotFound;
}

}  // namespace

#define FAKE_API extern "C" __attribute__((visibility("default")))
FAKE_API CUresult cuGetProcAddress(const char* name, void** function, int version, uint64_t flags) {
  fake::count("cuGetProcAddress");
  return find(name, function, version, flags);
}
FAKE_API CUresult cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t flags, int* status) {
  fake::count("cuGetProcAddress_v2");
  const CUresult result = find(name, function, version, flags);
  if (status != nullptr) *status = result == kCudaSuccess ? 0 : 1;
  return result;
}
