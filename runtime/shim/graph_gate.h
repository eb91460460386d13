// Holds the program's graph calls for the milliseconds in which CUPTI is attached or detached. A graph that is launched
// at such a moment, or while CUPTI is attached without recording, fails later or crashes the program (CUDA 13.0; 20
// small programs of direct CUPTI calls). With launches held, attaching and detaching 30 times under four threads that
// launch, update and create graphs left every result right, with work in flight, too.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

// What the program has done with graphs so far. An upload (cuGraphUpload, or one that instantiation requests) leaves
// memory in the graph that does not survive the detaching of CUPTI, whether graph calls are held or not.
enum class GraphUse : uint8_t { kNone, kLaunched, kUploaded };
GraphUse graph_use() noexcept;

// Returns false, with the gate open again, if a graph call is still in the driver after `at_most_ns`, or a stream is
// capturing.
bool close_graph_gate(uint64_t at_most_ns) noexcept;
void open_graph_gate() noexcept;

// While CUPTI is attached, a call that creates an executable graph must not run concurrently with one that creates or
// uses one: CUPTI's launch callback looks up copies and memsets in a hash table that its instantiation callback grows,
// both without a lock (13.0). Of 108 runs that attached and detached about 45 times under four threads that launch and
// instantiate, 11 crashed there; of 152 with turns, none.
enum class Turn : uint8_t { kNone, kBeside, kAlone };

Turn enter_graph_call(GraphCall call, bool uploads) noexcept;
void leave_graph_call(Turn turn) noexcept;

// Scope around the real call of functions that take graphs or their nodes, or begin a capture. CUPTI has callbacks in
// all calls that create, change or destroy these, and frees the callbacks' tables when it is detached: of 16 runs that
// each attached and detached it 140 times, with cuGraphDestroy or cuGraphExecKernelNodeSetParams not held, 9 crashed in
// them.
class GraphPass {
 public:
  GraphPass(GraphCall call, bool uploads) noexcept : turn_(enter_graph_call(call, uploads)) {}
  ~GraphPass() { leave_graph_call(turn_); }
  GraphPass(const GraphPass&) = delete;
  GraphPass& operator=(const GraphPass&) = delete;

 private:
  const Turn turn_;
};
struct NoGraphPass {
  NoGraphPass(GraphCall, bool) noexcept {}
};

constexpr bool takes_graph_pass(unsigned api) noexcept {
  return kApis[api].graph != GraphCall::kNone || kApis[api].capture == Capture::kBegin;
}
// `words`: the call's arguments. The first member of CUDA_GRAPH_INSTANTIATE_PARAMS is the flags.
inline bool uploads_graph(unsigned api, const uint64_t* words) noexcept {
  constexpr uint64_t kUploadFlag = 2;  // CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
  if (api == kApi_cuGraphInstantiateWithFlags) return (words[2] & kUploadFlag) != 0;
  if (api == kApi_cuGraphInstantiateWithParams)
    return words[2] != 0 && (*reinterpret_cast<const uint64_t*>(words[2]) & kUploadFlag) != 0;
  return api == kApi_cuGraphUpload;
}

}  // namespace syncsniff::shim
