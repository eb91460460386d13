// What the shim knows of each wrapped driver function; filled from rules/apis/cuda_driver.yaml by the generator.
// Argument positions count from 0; -1: none.
#pragma once

#include <cstdint>

#include "runtime/trace/format.h"

namespace syncsniff::shim {

enum class Enqueues : uint8_t { kNothing, kKernel, kCopyWork, kMemset, kOtherWork };
enum class Blocks : uint8_t { kNever, kAlways, kPageable };
enum class WaitsFor : uint8_t { kNoWait, kDevice, kStream, kEvent };
enum class Direction : uint8_t { kNoCopy, kHostToDevice, kDeviceToHost, kDeviceToDevice, kByPointers };
enum class Capture : uint8_t { kNoCapture, kBegin, kEnd };
enum class Handles : uint8_t { kNoHandle, kCreatesStream, kDestroysStream, kDestroysEvent };
// Of those that take graphs: builds or changes one, or parts of it; uses an executable one; makes one or makes it anew.
enum class GraphCall : uint8_t { kNone, kBuilds, kUsesExec, kMakesExec };

struct ApiInfo {
  const char* name;  // the exported symbol
  trace::CallClass call_class;
  Enqueues enqueues;
  Blocks blocks;
  WaitsFor waits_for;
  Direction direction;
  trace::HostMemory allocates;
  Capture capture;
  Handles handles;
  GraphCall graph;
  int8_t stream_arg, event_arg, dst_arg, src_arg, bytes_arg;
  int8_t descriptor_arg;  // a struct that holds source and destination
  int8_t config_arg;      // a CUlaunchConfig that holds the stream
  int8_t out_arg, object_arg, registers_arg, freed_arg;
};

// What is watched alike; what a step does often has code of its own.
enum class Watched : uint8_t {
  kLaunch,
  kEnqueue,
  kModuleLoad,
  kCopy,
  kWait,
  kPoll,
  kEventRecord,
  kEventDestroy,
  kStreamWait,
  kContextSwitch,
  kGraphPart,
  kRest
};

#include "api_table.inc"

constexpr bool only_switches_context(unsigned api) noexcept {
  return api == kApi_cuCtxSetCurrent || api == kApi_cuCtxPushCurrent_v2 || api == kApi_cuCtxPopCurrent_v2;
}

// Changes a graph that is not executable, or a node of an executable one.
constexpr bool changes_graph_part(unsigned api) noexcept {
  return (kApis[api].graph == GraphCall::kBuilds || kApis[api].graph == GraphCall::kUsesExec) &&
         kApis[api].call_class == trace::CallClass::kOther && kApis[api].enqueues == Enqueues::kNothing &&
         kApis[api].stream_arg < 0 && api != kApi_cuGraphExecDestroy;
}

// Events are marks in a stream, not work: they end at once on an empty stream.
constexpr bool is_mark(const ApiInfo& info) noexcept {
  return info.enqueues == Enqueues::kOtherWork && info.event_arg >= 0;
}

// A memset, a host function: puts work on a stream, is no launch, and does nothing else.
constexpr bool only_enqueues(const ApiInfo& info) noexcept {
  return info.call_class == trace::CallClass::kOther && info.enqueues != Enqueues::kNothing && !is_mark(info) &&
         info.blocks == Blocks::kNever && info.capture == Capture::kNoCapture && info.bytes_arg < 0;
}

constexpr Watched watched(unsigned api) noexcept {
  using trace::CallClass;
  if (api == kApi_cuEventRecord || api == kApi_cuEventRecordWithFlags) return Watched::kEventRecord;
  if (api == kApi_cuStreamWaitEvent) return Watched::kStreamWait;
  if (kApis[api].handles == Handles::kDestroysEvent) return Watched::kEventDestroy;
  if (only_switches_context(api)) return Watched::kContextSwitch;
  if (changes_graph_part(api)) return Watched::kGraphPart;
  switch (kApis[api].call_class) {
    case CallClass::kLaunch:
      return Watched::kLaunch;
    case CallClass::kModuleLoad:
      return Watched::kModuleLoad;
    case CallClass::kCopy:
      return Watched::kCopy;
    case CallClass::kWait:
      return Watched::kWait;
    case CallClass::kPoll:
      return Watched::kPoll;
    default:
      return only_enqueues(kApis[api]) ? Watched::kEnqueue : Watched::kRest;
  }
}

constexpr bool launches_kernel(unsigned api) noexcept {
  return watched(api) == Watched::kLaunch && api != kApi_cuGraphLaunch;
}
// A step makes many of these from the same places; nothing but their number and their time is of interest.
constexpr bool comes_often(unsigned api) noexcept {
  return launches_kernel(api) || (watched(api) == Watched::kEnqueue && kApis[api].enqueues == Enqueues::kMemset);
}

// Slots of one function: 0 and 1 are the exported symbol and its per-thread-stream form, resolved when first called;
// the others are handed out, one for each real pointer: with one pointer a name, launches reached the per-thread-stream
// form of the driver's function, and a training program's loss became NaN.
inline constexpr unsigned kDirectSlots = 2, kSlots = 8;

}  // namespace syncsniff::shim
