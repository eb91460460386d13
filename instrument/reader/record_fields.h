// The named fields of every fixed-size record, defined once; dump and undump are two visitors of them. A visitor has
// num(name, field), hex(name, field), word(name, field, words) and flags(name, field, words).
#pragma once

#include <array>
#include <cstring>
#include <span>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

using Words = std::span<const char* const>;

inline constexpr const char* kClassWords[] = {"other", "wait",   "implicit", "copy",  "allocate",
                                              "free",  "launch", "poll",     "module"};
inline constexpr const char* kMemoryWords[] = {"unknown", "pageable", "pinned", "managed", "device", "array"};
inline constexpr const char* kFlagWords[] = {"blocked",    "drained",   "failed",   "legacy",
                                             "per-thread", "capturing", "in-window"};
inline constexpr const char* kStateWords[] = {"unknown", "running", "asleep", "lock", "gil", "read", "poll", "process"};
inline constexpr const char* kMathWords[] = {"unknown", "f64", "f32", "tf32", "f16", "bf16", "fp8", "fp4", "int8"};
inline constexpr const char* kWorkWords[] = {"none", "kernel", "h2d", "d2h", "d2d", "copy", "set"};

template <class Visitor>
void visit_fields(trace::CallRecord& r, Visitor& v) {
  v.num("api", r.api);
  v.word("class", r.call_class, kClassWords);
  v.flags("flags", r.flags, kFlagWords);
  v.word("src", r.src_memory, kMemoryWords);
  v.word("dst", r.dst_memory, kMemoryWords);
  v.num("stack", r.stack);
  v.num("device", r.device);
  v.num("begin", r.begin_ns);
  v.num("duration", r.duration_ns);
  v.hex("stream", r.stream);
  v.hex("object", r.object);
  v.num("bytes", r.bytes);
  v.num("polls", r.polls);
  v.num("result", r.result);
}

template <class Visitor>
void visit_fields(trace::IdleRecord& r, Visitor& v) {
  v.num("wait_api", r.wait_api);
  v.num("wait_stack", r.wait_stack);
  v.num("enqueue_stack", r.enqueue_stack);
  v.num("device", r.device);
  v.num("wait_begin", r.wait_begin_ns);
  v.num("begin", r.begin_ns);
  v.num("end", r.end_ns);
  v.num("wait_tid", r.wait_tid);
  v.num("enqueue_tid", r.enqueue_tid);
}

template <class Visitor>
void visit_fields(trace::BurstRecord& r, Visitor& v) {
  v.num("launches", r.launches);
  v.num("copies", r.copies);
  v.num("others", r.others);
  v.num("begin", r.first_begin_ns);
  v.num("end", r.last_end_ns);
  v.num("in_calls", r.in_calls_ns);
  v.num("first_stack", r.first_stack);
  v.num("last_stack", r.last_stack);
}

template <class Visitor>
void visit_fields(trace::SiteCountRecord& r, Visitor& v) {
  v.num("api", r.api);
  v.word("class", r.call_class, kClassWords);
  v.word("src", r.src_memory, kMemoryWords);
  v.word("dst", r.dst_memory, kMemoryWords);
  v.num("stack", r.stack);
  v.num("device", r.device);
  v.num("count", r.count);
  v.num("total", r.total_ns);
  v.num("bytes", r.bytes);
  v.num("first", r.first_ns);
  v.num("last", r.last_ns);
  v.hex("object", r.object);
}

template <class Visitor>
void visit_fields(trace::StackRecord& r, Visitor& v) {
  v.num("id", r.stack);
}

template <class Visitor>
void visit_fields(trace::ModuleRecord& r, Visitor& v) {
  v.hex("bias", r.load_bias);
  v.hex("begin", r.begin);
  v.hex("end", r.end);
}

template <class Visitor>
void visit_fields(trace::PythonCodeRecord& r, Visitor& v) {
  v.num("id", r.code);
  v.hex("version", r.python_version);
  v.num("first_line", r.first_line);
}

template <class Visitor>
void visit_fields(trace::TextRecord& r, Visitor& v) {
  v.num("id", r.id);
  v.num("time", r.time_ns);
}

template <class Visitor>
void visit_fields(trace::RangeRecord& r, Visitor& v) {
  v.num("depth", r.depth);
  v.num("name", r.name);
  v.num("begin", r.begin_ns);
  v.num("end", r.end_ns);
  v.hex("color", r.color);
  v.num("domain", r.domain);
}

template <class Visitor>
void visit_fields(trace::GpuWorkRecord& r, Visitor& v) {
  v.word("kind", r.kind, kWorkWords);
  v.num("device", r.device);
  v.num("stream", r.stream);
  v.num("correlation", r.correlation);
  v.num("begin", r.begin_ns);
  v.num("end", r.end_ns);
  v.num("bytes", r.bytes);
  v.num("name", r.name);
  v.num("grid_x", r.grid[0]);
  v.num("grid_y", r.grid[1]);
  v.num("grid_z", r.grid[2]);
  v.num("block_threads", r.block_threads);
  v.num("graph", r.graph);
}

template <class Visitor>
void visit_fields(trace::ClockPairRecord& r, Visitor& v) {
  v.num("monotonic", r.monotonic_ns);
  v.num("cupti", r.cupti_ns);
}

template <class Visitor>
void visit_fields(trace::AllocationRecord& r, Visitor& v) {
  v.num("api", r.api);
  v.word("memory", r.memory, kMemoryWords);
  v.num("freed", r.freed);
  v.num("stack", r.stack);
  v.hex("address", r.address);
  v.num("bytes", r.bytes);
  v.num("time", r.time_ns);
}

template <class Visitor>
void visit_fields(trace::WindowRecord& r, Visitor& v) {
  v.num("begin", r.begin_ns);
  v.num("end", r.end_ns);
  v.num("launches", r.launches);
}

template <class Visitor>
void visit_fields(trace::SampleRecord& r, Visitor& v) {
  v.word("state", r.state, kStateWords);
  v.num("in_call", r.in_call);
  v.num("stack", r.stack);
  v.num("tid", r.tid);
  v.num("time", r.time_ns);
}

template <class Visitor>
void visit_fields(trace::OtherSampleRecord& r, Visitor& v) {
  v.word("state", r.state, kStateWords);
  v.num("stack", r.stack);
  v.num("tid", r.tid);
  v.num("turns", r.turns);
  v.num("time", r.time_ns);
  v.num("pid", r.pid);
}

template <class Visitor>
void visit_fields(trace::ProcessRecord& r, Visitor& v) {
  v.num("pid", r.pid);
}

template <class Visitor>
void visit_fields(trace::SentRecord& r, Visitor& v) {
  v.num("begin", r.begin_ns);
  v.hex("address", r.address);
  v.num("bytes", r.bytes);
  v.hex("hash", r.hash);
  v.num("varied", r.varied);
  v.num("compared", r.compared);
}

template <class Visitor>
void visit_fields(trace::GemmRecord& r, Visitor& v) {
  v.word("math", r.math, kMathWords);
  v.num("complex", r.is_complex);
  v.num("in_bits", r.in_bits);
  v.num("out_bits", r.out_bits);
  v.num("begin", r.begin_ns);
  v.num("duration", r.duration_ns);
  v.num("m", r.m);
  v.num("n", r.n);
  v.num("k", r.k);
  v.num("batch", r.batch);
}

template <class Visitor>
void visit_fields(trace::DeviceRecord& r, Visitor& v) {
  v.num("device", r.device);
  v.num("name", r.name);
  v.num("major", r.major);
  v.num("minor", r.minor);
  v.num("multiprocessors", r.multiprocessors);
  v.num("clock_khz", r.clock_khz);
  v.num("memory_clock_khz", r.memory_clock_khz);
  v.num("memory_bus_bits", r.memory_bus_bits);
  v.num("pci_domain", r.pci_domain);
  v.num("pci_bus", r.pci_bus);
  v.num("pci_device", r.pci_device);
}

template <class Visitor>
void visit_fields(trace::SymbolRecord& r, Visitor& v) {
  v.hex("address", r.address);
  v.num("line", r.line);
}

template <class Visitor>
void visit_fields(trace::FileHeader& h, Visitor& v) {
  v.num("version", h.version);
  v.num("chunk_bytes", h.chunk_bytes);
  v.num("pid", h.pid);
  v.num("ppid", h.ppid);
  v.num("start", h.start_monotonic_ns);
  v.num("start_realtime", h.start_realtime_ns);
  v.num("end", h.end_monotonic_ns);
  v.num("stop_reason", h.stop_reason);
  v.num("dropped", h.dropped_records);
  v.num("timeline", h.timeline_mode);
  v.num("driver", h.driver_version);
  v.num("storage", h.storage_ns);
  v.num("nested_waits", h.nested_waits);
  v.num("nested_work", h.nested_work);
  v.num("rank_and_one", h.rank_and_one);
}

// Calls f with the type's keyword and a zeroed record of that type; false: the type has no fields.
template <class Function>
bool with_record(trace::RecordType type, Function&& f) {
  using T = trace::RecordType;
  switch (type) {
    case T::kCall:
      f("call", trace::CallRecord{});
      return true;
    case T::kIdle:
      f("idle", trace::IdleRecord{});
      return true;
    case T::kBurst:
      f("burst", trace::BurstRecord{});
      return true;
    case T::kSiteCount:
      f("count", trace::SiteCountRecord{});
      return true;
    case T::kStack:
      f("stack", trace::StackRecord{});
      return true;
    case T::kModule:
      f("module", trace::ModuleRecord{});
      return true;
    case T::kPythonCode:
      f("code", trace::PythonCodeRecord{});
      return true;
    case T::kString:
      f("string", trace::TextRecord{});
      return true;
    case T::kRange:
      f("range", trace::RangeRecord{});
      return true;
    case T::kGpuWork:
      f("gpu", trace::GpuWorkRecord{});
      return true;
    case T::kClockPair:
      f("clock", trace::ClockPairRecord{});
      return true;
    case T::kThread:
      f("thread", trace::TextRecord{});
      return true;
    case T::kNote:
      f("note", trace::TextRecord{});
      return true;
    case T::kApiName:
      f("api", trace::TextRecord{});
      return true;
    case T::kAllocation:
      f("allocation", trace::AllocationRecord{});
      return true;
    case T::kSymbol:
      f("symbol", trace::SymbolRecord{});
      return true;
    case T::kWindow:
      f("window", trace::WindowRecord{});
      return true;
    case T::kSample:
      f("sample", trace::SampleRecord{});
      return true;
    case T::kSent:
      f("sent", trace::SentRecord{});
      return true;
    case T::kGemm:
      f("gemm", trace::GemmRecord{});
      return true;
    case T::kDevice:
      f("device", trace::DeviceRecord{});
      return true;
    case T::kOtherSample:
      f("other", trace::OtherSampleRecord{});
      return true;
    case T::kProcess:
      f("process", trace::ProcessRecord{});
      return true;
    default:
      return false;
  }
}

}  // namespace syncsniff::reader
