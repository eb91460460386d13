// A trace as plain vectors: what the shim wrote, checked but not interpreted. Times are nanoseconds of CLOCK_MONOTONIC;
// ids are those of runtime/trace/format.h.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/trace/format.h"

namespace syncsniff::reader {

// Thrown if a file cannot be read as a trace. what(): "file: what is wrong; what to do", one line.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A record and the thread that wrote it.
template <class Record>
struct Event {
  Record record;
  uint32_t tid = 0;
};

struct PythonFrame {
  uint32_t code = 0, offset = 0;  // offset: bytes from the start of the code
};

struct Stack {
  std::vector<uint64_t> native;  // return addresses, innermost first
  std::vector<PythonFrame> python;
};

struct Module {
  std::string path, build_id;  // build_id: lower-case hex
  uint64_t load_bias = 0, begin = 0, end = 0;
};

struct PythonCode {
  std::string file, name, line_table;
  uint16_t version = 0;
  int32_t first_line = 0;
};

// One function of the inline chain at an address; line 0: unknown.
struct SymbolFrame {
  std::string function, file;
  uint32_t line = 0;
};

struct Trace {
  std::string path;
  trace::FileHeader header{};
  std::vector<Event<trace::CallRecord>> calls;
  std::vector<Event<trace::IdleRecord>> idles;
  std::vector<Event<trace::BurstRecord>> bursts;
  std::vector<Event<trace::SiteCountRecord>> site_counts;
  std::vector<Event<trace::RangeRecord>> ranges;
  std::vector<Event<trace::GpuWorkRecord>> gpu_work;
  std::vector<Event<trace::AllocationRecord>> allocations;
  std::vector<Event<trace::SentRecord>> sent;   // by the copy's begin
  std::vector<Event<trace::GemmRecord>> gemms;  // by begin
  std::vector<trace::DeviceRecord> devices;
  std::vector<trace::ClockPairRecord> clock_pairs;
  std::vector<trace::WindowRecord> windows;             // by begin
  std::vector<trace::SampleRecord> samples;             // by time
  std::vector<trace::OtherSampleRecord> other_samples;  // by time
  std::unordered_map<uint32_t, Stack> stacks;
  std::vector<Module> modules;  // by begin
  std::unordered_map<uint32_t, PythonCode> codes;
  std::unordered_map<uint32_t, std::string> strings, apis;
  std::unordered_map<uint32_t, std::string> thread_names;  // by tid
  // Processes that the program has started and that were sampled, by pid.
  std::unordered_map<uint32_t, std::string> processes;
  std::vector<std::string> notes;
  std::unordered_map<uint64_t, std::vector<SymbolFrame>> symbols;  // by return address; appended after the run
  uint64_t unknown_records = 0;                                    // of types that this reader does not know
  uint64_t partial_records = 0;                                    // cut off because the process ended

  const std::string& api_name(uint32_t id) const;
  const std::string& string(uint32_t id) const;
  bool end_unknown() const { return header.end_monotonic_ns == 0; }  // left by _exit, killed or crashed
  bool ended_early() const;                                          // the same, and the launcher did not see it exit
  uint64_t begin_ns() const { return header.start_monotonic_ns; }
  uint64_t end_ns() const;  // time of the close or, without one, of the last record
  std::vector<std::string> command_line() const;
};

// Reads and checks a whole trace. Throws TraceError; never crashes, whatever the file contains.
Trace read_trace(const std::string& path);
Trace read_trace_bytes(const char* data, size_t size, const std::string& name);

}  // namespace syncsniff::reader
