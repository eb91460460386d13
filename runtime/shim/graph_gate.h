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

void enter_graph_call(bool uploads) noexcept;
void leave_graph_call() noexcept;

// Around the real call of what takes an executable graph, makes one, or begins a capture.
struct GraphPass {
  explicit GraphPass(bool uploads) noexcept { enter_graph_call(uploads); }
  ~GraphPass() { leave_graph_call(); }
  GraphPass(const GraphPass&) = delete;
  GraphPass& operator=(const GraphPass&) = delete;
};
struct NoGraphPass {
  explicit NoGraphPass(bool) noexcept {}
};

constexpr bool instantiates_graph(unsigned api) noexcept {
  return api == kApi_cuGraphInstantiate || api == kApi_cuGraphInstantiate_v2 ||
         api == kApi_cuGraphInstantiateWithFlags || api == kApi_cuGraphInstantiateWithParams;
}
constexpr bool takes_graph_pass(unsigned api) noexcept {
  return instantiates_graph(api) || api == kApi_cuGraphLaunch || api == kApi_cuGraphUpload ||
         api == kApi_cuGraphExecUpdate || api == kApi_cuGraphExecUpdate_v2 || api == kApi_cuGraphExecDestroy ||
         kApis[api].capture == Capture::kBegin;
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
