#include "tests/runtime/kernels/fake_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

struct CUevent_st {
  std::uint64_t recorded = 0, done = 0;
};

namespace {

struct Operation {
  std::function<bool()> run;  // false: cannot go on yet
};

}  // namespace

struct CUgraph_st {
  std::vector<Operation> operations;
};
struct CUgraphExec_st {
  std::vector<Operation> operations;
};
struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  std::deque<Operation> queue;
  std::unique_ptr<CUgraph_st> capturing;
  bool spoiled = false;
};

namespace {

struct World {
  std::recursive_mutex mutex;
  CUstream_st default_stream;
  std::set<CUstream_st*> streams{&default_stream};
  std::map<const char*, std::size_t> pinned, device;
  std::map<std::string, std::size_t, std::less<>> calls;  // found by name without allocating
  std::map<std::string, cudaError_t, std::less<>> failures;
  std::size_t waits = 0;
};
World& world() {
  static World* the_world = new World;
  return *the_world;
}
thread_local int forbidden_depth = 0;
thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

using Lock = std::lock_guard<std::recursive_mutex>;

cudaError_t result(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}
// Counts the call; not cudaSuccess if a failure was planned.
cudaError_t enter(const char* api) {
  auto counted = world().calls.find(api);
  if (counted == world().calls.end()) counted = world().calls.emplace(api, 0).first;
  ++counted->second;
  const auto planned = world().failures.find(api);
  if (planned == world().failures.end()) return cudaSuccess;
  const cudaError_t code = planned->second;
  world().failures.erase(planned);
  return result(code);
}
void host_waits(const char* api) {
  ++world().waits;
  if (forbidden_depth != 0) ADD_FAILURE() << api << " waits";
}
bool inside(const std::map<const char*, std::size_t>& blocks, const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const char*>(data);
  auto block = blocks.upper_bound(begin);
  if (block == blocks.begin()) return false;
  --block;
  return begin + bytes <= block->first + block->second;
}
CUstream_st& stream_of(cudaStream_t stream) { return stream == nullptr ? world().default_stream : *stream; }
// A call that a capture on a stream cannot record: spoils it, as the runtime does.
bool spoils_capture() {
  bool any = false;
  for (CUstream_st* stream : world().streams) {
    if (stream->capturing) any = stream->spoiled = true;
  }
  return any;
}
cudaError_t enqueue(cudaStream_t handle, Operation operation) {
  CUstream_st& stream = stream_of(handle);
  if (stream.capturing) {
    stream.capturing->operations.push_back(std::move(operation));
  } else {
    stream.queue.push_back(std::move(operation));
  }
  return cudaSuccess;
}
cudaError_t allocate(std::map<const char*, std::size_t>& blocks, void** out, std::size_t bytes) {
  if (bytes > std::size_t{1} << 34) return result(cudaErrorMemoryAllocation);  // memory ends somewhere
  auto* data = static_cast<char*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  std::memset(data, 0xcd, bytes);
  blocks[data] = bytes;
  *out = data;
  return cudaSuccess;
}
cudaError_t release(std::map<const char*, std::size_t>& blocks, void* data, const char* api) {
  if (data == nullptr) return cudaSuccess;
  host_waits(api);
  fake_cuda::run_all();
  if (blocks.erase(static_cast<char*>(data)) != 1) ADD_FAILURE() << api << " of something else";
  std::free(data);
  return cudaSuccess;
}

}  // namespace

namespace fake_cuda {

void reset() {
  const Lock lock(world().mutex);
  for (CUstream_st* stream : world().streams) stream->queue.clear();
  world().calls.clear();
  world().failures.clear();
  world().waits = 0;
  last_error = cudaSuccess;
}
std::size_t run(cudaStream_t stream, std::size_t count) {
  const Lock lock(world().mutex);
  std::deque<Operation>& queue = stream_of(stream).queue;
  std::size_t ran = 0;
  while (ran < count && !queue.empty() && queue.front().run()) {
    queue.pop_front();
    ++ran;
  }
  return ran;
}
void run_all() {
  const Lock lock(world().mutex);
  std::size_t ran = 1;
  while (ran != 0) {
    ran = 0;
    for (CUstream_st* stream : world().streams) ran += run(stream, 1000000);
  }
}
void launch(cudaStream_t stream, std::function<void()> body) {
  const Lock lock(world().mutex);
  enqueue(stream, {[body = std::move(body)] {
            body();
            return true;
          }});
}
std::size_t calls(const std::string& api) {
  const Lock lock(world().mutex);
  return world().calls[api];
}
std::size_t calls() {
  const Lock lock(world().mutex);
  std::size_t sum = 0;
  for (const auto& [api, count] : world().calls) sum += count;
  return sum;
}
std::size_t waits() {
  const Lock lock(world().mutex);
  return world().waits;
}
void fail_next(const std::string& api, cudaError_t code) {
  const Lock lock(world().mutex);
  world().failures[api] = code;
}
bool is_pinned(const void* data) {
  const Lock lock(world().mutex);
  return inside(world().pinned, data, 1);
}
std::size_t pinned_blocks() {
  const Lock lock(world().mutex);
  return world().pinned.size();
}
ForbidWaiting::ForbidWaiting() { ++forbidden_depth; }
ForbidWaiting::~ForbidWaiting() { --forbidden_depth; }

}  // namespace fake_cuda

#define ENTER(api)                        \
  const Lock lock(world().mutex);         \
  const cudaError_t planned = enter(api); \
  if (planned != cudaSuccess) return planned

extern "C" {

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t code) {
  return code == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaErrorFake";
}
const char* cudaGetErrorString(cudaError_t code) {
  return code == cudaErrorMemoryAllocation ? "out of memory" : "fake";
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 4;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned) {
  ENTER("cudaHostAlloc");
  if (capture_mode != cudaStreamCaptureModeRelaxed && spoils_capture()) {
    return result(cudaErrorStreamCaptureUnsupported);
  }
  return allocate(world().pinned, out, bytes);
}
cudaError_t cudaFreeHost(void* data) {
  ENTER("cudaFreeHost");
  if (capture_mode != cudaStreamCaptureModeRelaxed && spoils_capture()) {
    return result(cudaErrorStreamCaptureUnsupported);
  }
  return release(world().pinned, data, "cudaFreeHost");
}
cudaError_t cudaMalloc(void** out, std::size_t bytes) {
  ENTER("cudaMalloc");
  if (spoils_capture()) return result(cudaErrorStreamCaptureUnsupported);
  return allocate(world().device, out, bytes);
}
cudaError_t cudaFree(void* data) {
  ENTER("cudaFree");
  return release(world().device, data, "cudaFree");
}
cudaError_t cudaHostGetDevicePointer(void** out, void* data, unsigned) {
  ENTER("cudaHostGetDevicePointer");
  *out = data;
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  ENTER("cudaMemsetAsync");
  if (!inside(world().device, data, bytes)) ADD_FAILURE() << "cudaMemsetAsync outside device memory";
  return enqueue(stream, {[=] {
                   std::memset(data, value, bytes);
                   return true;
                 }});
}
cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
  return cudaMemsetAsync(data, value, bytes, nullptr);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  ENTER("cudaMemcpyAsync");
  const void* host = kind == cudaMemcpyHostToDevice ? from : to;
  const void* device = kind == cudaMemcpyHostToDevice ? to : from;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost) ADD_FAILURE() << "unexpected kind of copy";
  if (!inside(world().pinned, host, bytes)) ADD_FAILURE() << "cudaMemcpyAsync with pageable memory waits";
  if (!inside(world().device, device, bytes)) ADD_FAILURE() << "cudaMemcpyAsync outside device memory";
  return enqueue(stream, {[=] {
                   std::memcpy(to, from, bytes);
                   return true;
                 }});
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  ENTER("cudaStreamCreateWithFlags");
  *stream = new CUstream_st;
  (*stream)->flags = flags;
  world().streams.insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  ENTER("cudaStreamDestroy");
  fake_cuda::run_all();
  world().streams.erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ENTER("cudaStreamSynchronize");
  host_waits("cudaStreamSynchronize");
  fake_cuda::run_all();
  if (!stream_of(stream).queue.empty()) ADD_FAILURE() << "cudaStreamSynchronize would wait for ever";
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  ENTER("cudaStreamIsCapturing");
  *status = stream_of(stream).capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  ENTER("cudaStreamWaitEvent");
  const std::uint64_t awaited = event->recorded;
  return enqueue(stream, {[=] { return event->done >= awaited; }});
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  ENTER("cudaEventCreateWithFlags");
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  ENTER("cudaEventDestroy");
  fake_cuda::run_all();  // queued operations hold its address
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ENTER("cudaEventRecord");
  if (stream_of(stream).capturing) ADD_FAILURE() << "cudaEventRecord into a capture";
  const std::uint64_t number = ++event->recorded;
  return enqueue(stream, {[=] {
                   event->done = std::max(event->done, number);
                   return true;
                 }});
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  ENTER("cudaEventQuery");
  return event->done == event->recorded ? cudaSuccess : result(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  ENTER("cudaEventSynchronize");
  host_waits("cudaEventSynchronize");
  // No further than needed, so that a test sees what a wait lets through.
  for (std::size_t ran = 1; event->done != event->recorded && ran != 0;) {
    ran = 0;
    for (CUstream_st* stream : world().streams) {
      if (event->done != event->recorded) ran += fake_cuda::run(stream, 1);
    }
  }
  if (event->done != event->recorded) ADD_FAILURE() << "cudaEventSynchronize would wait for ever";
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  ENTER("cudaStreamBeginCapture");
  stream_of(stream).capturing = std::make_unique<CUgraph_st>();
  stream_of(stream).spoiled = false;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  ENTER("cudaStreamEndCapture");
  std::unique_ptr<CUgraph_st> captured = std::move(stream_of(stream).capturing);
  *graph = nullptr;
  if (stream_of(stream).spoiled) return result(cudaErrorStreamCaptureInvalidated);
  *graph = captured.release();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  ENTER("cudaGraphDestroy");
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count) {
  ENTER("cudaGraphGetNodes");
  *count = graph->operations.size();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  ENTER("cudaGraphInstantiateWithFlags");
  *executable = new CUgraphExec_st{graph->operations};
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo*) {
  ENTER("cudaGraphExecUpdate");
  if (executable->operations.size() != graph->operations.size()) return result(cudaErrorGraphExecUpdateFailure);
  executable->operations = graph->operations;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  ENTER("cudaGraphExecDestroy");
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  ENTER("cudaGraphLaunch");
  for (const Operation& operation : executable->operations) enqueue(stream, operation);
  return cudaSuccess;
}

}  // extern "C"
