// A libcuda.so.1 with no GPU behind it: the driver's C ABI over engine.h.
#include "tests/fake_driver/driver_api.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "tests/fake_driver/engine.h"
#include "tests/fake_driver/event_log.h"

#define FAKE_API extern "C" __attribute__((visibility("default")))

namespace {

using fake::Kind;
using fake::Stream;

constexpr int kDriverVersion = 13000;
constexpr uint64_t kStagedBytes = 64 * 1024;

struct Function {
  std::string name;
  unsigned us;  // 0: the driver's current setting
};

thread_local int t_device = 0;
int g_context[2];  // context handles point here

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
uint64_t us(unsigned value) { return static_cast<uint64_t>(value) * 1000; }

bool device_gone() { return std::getenv("FAKE_CUDA_NO_DEVICE") != nullptr; }

CUresult wait_for(Stream* stream) {
  if (stream->capturing) return kCudaInvalidValue;
  fake::sleep_until(stream->busy_until);
  return kCudaSuccess;
}

// A copy on a stream; `host` is its host side, if any. Pageable host memory makes the call wait, as the driver does.
CUresult copy(void* dst, const void* src, size_t bytes, Stream* stream, bool blocking) {
  if (stream->capturing) return kCudaSuccess;
  if (dst == nullptr) return kCudaInvalidValue;
  const Kind to = fake::kind_of(dst), from = fake::kind_of(src);
  fake::enqueue(stream, us(fake::copy_us()));
  const bool to_pageable = to == Kind::kNone, from_pageable = from == Kind::kNone;
  const bool device_only = to == Kind::kDevice && from == Kind::kDevice;
  if ((blocking && !device_only) || to_pageable || (from_pageable && bytes > kStagedBytes)) wait_for(stream);
  std::memcpy(dst, src, bytes);
  return kCudaSuccess;
}

CUresult launch(CUfunction handle, Stream* stream) {
  if (handle == nullptr) return kCudaInvalidValue;
  const auto* function = static_cast<const Function*>(handle);
  fake::enqueue(stream, us(function->us != 0 ? function->us : fake::kernel_us()));
  return kCudaSuccess;
}

}  // namespace

FAKE_API CUresult cuInit(unsigned) {
  fake::count("cuInit");
  return device_gone() ? 100 : kCudaSuccess;
}
FAKE_API CUresult cuDriverGetVersion(int* version) { return *version = kDriverVersion, kCudaSuccess; }
FAKE_API CUresult cuDeviceGetCount(int* count) {
  const char* text = std::getenv("FAKE_CUDA_DEVICES");
  return *count = text != nullptr ? std::atoi(text) : 1, kCudaSuccess;
}
FAKE_API CUresult cuDeviceGet(CUdevice* device, int ordinal) { return *device = ordinal, kCudaSuccess; }
// An H200.
FAKE_API CUresult cuDeviceGetName(char* name, int bytes, CUdevice) {
  return std::snprintf(name, static_cast<size_t>(bytes), "Fake H200"), kCudaSuccess;
}
FAKE_API CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  switch (attribute) {
    case 13:
      return *value = 1980000, kCudaSuccess;  // kHz
    case 16:
      return *value = 132, kCudaSuccess;
    case 33:
      return *value = 0x10 + device, kCudaSuccess;  // PCI bus
    case 34:
    case 50:
    case 76:
      return *value = 0, kCudaSuccess;
    case 36:
      return *value = 3201000, kCudaSuccess;
    case 37:
      return *value = 6144, kCudaSuccess;
    case 75:
      return *value = 9, kCudaSuccess;
    default:
      return kCudaInvalidValue;
  }
}
FAKE_API CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return *context = &g_context[device & 1], kCudaSuccess;
}
FAKE_API CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice device) {
  return *context = &g_context[device & 1], kCudaSuccess;
}
FAKE_API CUresult cuCtxSetCurrent(CUcontext context) {
  return t_device = static_cast<int>(static_cast<int*>(context) - g_context), kCudaSuccess;
}
FAKE_API CUresult cuCtxGetDevice(CUdevice* device) { return *device = t_device, kCudaSuccess; }
FAKE_API CUresult cuCtxSynchronize() {
  fake::count("cuCtxSynchronize");
  fake::sleep_until(fake::device_busy_until());
  return kCudaSuccess;
}
FAKE_API CUresult cuCtxSynchronize_v2(CUcontext context) {
  fake::count("cuCtxSynchronize_v2");
  if (context == nullptr) return kCudaInvalidValue;
  fake::sleep_until(fake::device_busy_until());
  return kCudaSuccess;
}

FAKE_API CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return *stream = fake::make_stream((flags & kStreamNonBlocking) == 0), kCudaSuccess;
}
FAKE_API CUresult cuStreamDestroy_v2(CUstream stream) {
  return fake::destroy_stream(static_cast<Stream*>(stream)), kCudaSuccess;
}
FAKE_API CUresult cuEventCreate(CUevent* event, unsigned) { return *event = new fake::Event, kCudaSuccess; }
FAKE_API CUresult cuEventDestroy_v2(CUevent event) { return delete static_cast<fake::Event*>(event), kCudaSuccess; }
FAKE_API CUresult cuEventQuery(CUevent event) {
  fake::count("cuEventQuery");
  return static_cast<fake::Event*>(event)->done_at <= fake::now_ns() ? kCudaSuccess : kCudaNotReady;
}
FAKE_API CUresult cuEventSynchronize(CUevent event) {
  fake::count("cuEventSynchronize");
  return fake::sleep_until(static_cast<fake::Event*>(event)->done_at), kCudaSuccess;
}

// Long enough that calls of other threads fall into it.
static void take_time_with_graph(const char* begins, const char* ends) {
  fake::log_event(begins);
  fake::sleep_until(fake::now_ns() + us(100));
  fake::log_event(ends);
}
FAKE_API CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, uint64_t) {
  take_time_with_graph("making begins", "making ends");
  return *made = graph, kCudaSuccess;
}
FAKE_API CUresult cuGraphClone(CUgraph* made, CUgraph graph) {
  take_time_with_graph("change begins", "change ends");
  return *made = graph, kCudaSuccess;
}
FAKE_API CUresult cuGraphDestroy(CUgraph) { return take_time_with_graph("change begins", "change ends"), kCudaSuccess; }
FAKE_API CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec, void*, const void*) {
  return take_time_with_graph("change begins", "change ends"), kCudaSuccess;
}
FAKE_API CUresult cuModuleLoadData(CUmodule* module, const void*) { return *module = g_context, kCudaSuccess; }
FAKE_API CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  unsigned busy = 0, loads = 0;
  std::sscanf(name, "busy_%uus", &busy);
  if (std::sscanf(name, "loads_%uus", &loads) == 1) fake::sleep_until(fake::now_ns() + loads * 1000ull);
  return *function = new Function{name, busy}, kCudaSuccess;
}

FAKE_API CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  return *address = reinterpret_cast<CUdeviceptr>(fake::allocate(bytes, Kind::kDevice)), kCudaSuccess;
}
FAKE_API CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned) {
  return *address = reinterpret_cast<CUdeviceptr>(fake::allocate(bytes, Kind::kManaged)), kCudaSuccess;
}
FAKE_API CUresult cuMemFree_v2(CUdeviceptr address) {
  fake::sleep_until(fake::device_busy_until());
  return fake::release(pointer(address), false) ? kCudaSuccess : kCudaInvalidValue;
}
FAKE_API CUresult cuMemAllocHost_v2(void** address, size_t bytes) {
  return *address = fake::allocate(bytes, Kind::kPinned), kCudaSuccess;
}
FAKE_API CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned) { return cuMemAllocHost_v2(address, bytes); }
FAKE_API CUresult cuMemFreeHost(void* address) {
  return fake::release(address, false) ? kCudaSuccess : kCudaInvalidValue;
}
FAKE_API CUresult cuMemHostRegister_v2(void* address, size_t bytes, unsigned) {
  return fake::adopt(address, bytes, Kind::kPinned), kCudaSuccess;
}
FAKE_API CUresult cuMemHostUnregister(void* address) {
  return fake::release(address, true) ? kCudaSuccess : kCudaInvalidValue;
}
FAKE_API CUresult cuPointerGetAttribute(void* data, int attribute, CUdeviceptr address) {
  fake::count("cuPointerGetAttribute");
  const Kind kind = fake::kind_of(pointer(address));
  if (kind == Kind::kNone) return kCudaInvalidValue;
  if (attribute == 2) *static_cast<unsigned*>(data) = kind == Kind::kPinned ? 1 : 2;
  if (attribute == 8) *static_cast<unsigned*>(data) = kind == Kind::kManaged ? 1 : 0;
  return kCudaSuccess;
}

// Entry points with a stream: one body, and the two exported symbols, which count apart.
namespace body {

CUresult cuStreamSynchronize(bool own, CUstream stream) { return wait_for(fake::stream_of(stream, own)); }
CUresult cuStreamQuery(bool own, CUstream stream) {
  return fake::stream_of(stream, own)->busy_until <= fake::now_ns() ? kCudaSuccess : kCudaNotReady;
}
CUresult cuStreamWaitEvent(bool own, CUstream stream, CUevent event, unsigned) {
  Stream* s = fake::stream_of(stream, own);
  s->busy_until = std::max(s->busy_until, static_cast<fake::Event*>(event)->done_at);
  return kCudaSuccess;
}
CUresult cuEventRecord(bool own, CUevent event, CUstream stream) {
  static_cast<fake::Event*>(event)->done_at = fake::stream_of(stream, own)->busy_until;
  return kCudaSuccess;
}
CUresult cuLaunchKernel(bool own, CUfunction function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream stream, void**, void**) {
  return launch(function, fake::stream_of(stream, own));
}
CUresult cuLaunchKernelEx(bool own, const void* config, CUfunction function, void**, void**) {
  CUstream stream;
  std::memcpy(&stream, static_cast<const char*>(config) + 32, sizeof(stream));
  return launch(function, fake::stream_of(stream, own));
}
CUresult cuGraphLaunch(bool own, CUgraphExec, CUstream stream) {
  fake::log_event("graph begins");
  if (const char* ms = std::getenv("FAKE_CUDA_GRAPH_MS"))  // the call waits for room in the launch queue
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atol(ms)));
  fake::enqueue(fake::stream_of(stream, own), us(fake::copy_us()));
  fake::log_event("graph ends");
  return kCudaSuccess;
}
CUresult cuMemcpyHtoD_v2(bool own, CUdeviceptr dst, const void* src, size_t bytes) {
  return copy(pointer(dst), src, bytes, fake::stream_of(nullptr, own), true);
}
CUresult cuMemcpyDtoH_v2(bool own, void* dst, CUdeviceptr src, size_t bytes) {
  return copy(dst, pointer(src), bytes, fake::stream_of(nullptr, own), true);
}
CUresult cuMemcpy(bool own, CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return copy(pointer(dst), pointer(src), bytes, fake::stream_of(nullptr, own), true);
}
CUresult cuMemcpyHtoDAsync_v2(bool own, CUdeviceptr dst, const void* src, size_t bytes, CUstream stream) {
  return copy(pointer(dst), src, bytes, fake::stream_of(stream, own), false);
}
CUresult cuMemcpyDtoHAsync_v2(bool own, void* dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copy(dst, pointer(src), bytes, fake::stream_of(stream, own), false);
}
CUresult cuMemcpyAsync(bool own, CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return copy(pointer(dst), pointer(src), bytes, fake::stream_of(stream, own), false);
}
CUresult cuMemsetD8Async(bool own, CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream) {
  std::memset(pointer(dst), value, bytes);
  return fake::enqueue(fake::stream_of(stream, own), us(fake::copy_us())), kCudaSuccess;
}
CUresult cuStreamBeginCapture_v2(bool own, CUstream stream, int) {
  return fake::stream_of(stream, own)->capturing = true, kCudaSuccess;
}
CUresult cuStreamEndCapture(bool own, CUstream stream, CUgraph* graph) {
  fake::stream_of(stream, own)->capturing = false;
  return *graph = g_context, kCudaSuccess;
}

}  // namespace body

#define FAKE_EXPAND(...) __VA_ARGS__
#define FAKE_DEFINE_STREAM(name, suffix, parameters, arguments) \
  FAKE_API CUresult name parameters {                           \
    fake::count(#name);                                         \
    return body::name(false, FAKE_EXPAND arguments);            \
  }                                                             \
  FAKE_API CUresult name##suffix parameters {                   \
    fake::count(#name #suffix);                                 \
    return body::name(true, FAKE_EXPAND arguments);             \
  }
FAKE_STREAM_FUNCTIONS(FAKE_DEFINE_STREAM)
