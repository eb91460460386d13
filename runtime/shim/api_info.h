// What the shim knows about each wrapped driver function. The generator fills this in from rules/apis/cuda_driver.yaml.
// Argument positions count from 0; -1: the function has no such argument.
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
// What a function that takes graphs does: kBuilds: creates or changes a graph or its nodes; kUsesExec: uses an
// executable graph; kMakesExec: creates or updates one.
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
  int8_t descriptor_arg;  // a struct that contains source and destination
  int8_t config_arg;      // a CUlaunchConfig, which contains the stream
  int8_t out_arg, object_arg, registers_arg, freed_arg;
};

// Groups of functions that share hook code. Functions that a step calls often have groups of their own.
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

// True for functions that change a graph that is not executable, or a node of an executable one.
constexpr bool changes_graph_part(unsigned api) noexcept {
  return (kApis[api].graph == GraphCall::kBuilds || kApis[api].graph == GraphCall::kUsesExec) &&
         kApis[api].call_class == trace::CallClass::kOther && kApis[api].enqueues == Enqueues::kNothing &&
         kApis[api].stream_arg < 0 && api != kApi_cuGraphExecDestroy;
}

// True for event records: an event is a mark in a stream, not work, and completes at once on an empty stream.
constexpr bool is_mark(const ApiInfo& info) noexcept {
  return info.enqueues == Enqueues::kOtherWork && info.event_arg >= 0;
}

// True for functions that put work on a stream, are no launches, and do nothing else: memsets, host functions.
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

// Slots of one function: 0 and 1 are the exported symbol and its per-thread-stream form, resolved when first called;
// each of the others is given to one real pointer. With one pointer per name, launches reached the per-thread-stream
// form of the driver's function, and a training program's loss became NaN.
inline constexpr unsigned kDirectSlots = 2, kSlots = 8;

}  // namespace syncsniff::shim
