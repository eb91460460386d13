// Holds the program's graph calls for the milliseconds in which CUPTI enters or leaves the process. A graph that is
// launched in such a moment, or while CUPTI is in the process without recording, fails later or crashes the program
// (CUDA 13.0; 20 small programs of direct CUPTI calls). With launches held, 30 comings and goings under four threads
// that launch, update and make graphs left every result right, with work in flight, too.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

// What a program has done with graphs so far. An upload (cuGraphUpload, or one that instantiation asks for) leaves
// memory in the graph that does not survive CUPTI's leaving, held or not.
enum class GraphUse : uint8_t { kNone, kLaunched, kUploaded };
GraphUse graph_use() noexcept;

// False: a graph call is still inside the driver after `at_most_ns`, or a stream is capturing; the gate is open again.
bool close_graph_gate(uint64_t at_most_ns) noexcept;
void open_graph_gate() noexcept;

// While CUPTI is in the process, a call that makes an executable graph runs beside no other that makes or uses one:
// CUPTI's callback at a launch looks copies and memsets up in a hash table that its callback at an instantiation grows,
// both without a lock (13.0). Of 108 runs that came and went some 45 times under four threads that launch and
// instantiate, 11 crashed there; of 152 with turns, none.
enum class Turn : uint8_t { kNone, kBeside, kAlone };

Turn enter_graph_call(GraphCall call, bool uploads) noexcept;
void leave_graph_call(Turn turn) noexcept;

// Around the real call of what takes graphs or their nodes, or begins a capture. CUPTI has callbacks in all calls that
// make, change or destroy these, and their tables are freed as it leaves: of 16 runs of 140 comings and goings each, in
// which cuGraphDestroy or cuGraphExecKernelNodeSetParams was not held, 9 crashed in it.
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
// Arguments as words. CUDA_GRAPH_INSTANTIATE_PARAMS begins with the flags.
inline bool uploads_graph(unsigned api, const uint64_t* words) noexcept {
  constexpr uint64_t kUploadFlag = 2;  // CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD
  if (api == kApi_cuGraphInstantiateWithFlags) return (words[2] & kUploadFlag) != 0;
  if (api == kApi_cuGraphInstantiateWithParams)
    return words[2] != 0 && (*reinterpret_cast<const uint64_t*>(words[2]) & kUploadFlag) != 0;
  return api == kApi_cuGraphUpload;
}

}  // namespace syncsniff::shim
