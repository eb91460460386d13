#include "instrument/reader/trace.h"

#include <algorithm>
#include <cstring>

#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"

namespace syncsniff::reader {
namespace {

using trace::RecordType;

// The records of one thread across its chunks, including those of threads that continued its last chunk.
class RecordStream {
 public:
  explicit RecordStream(const std::vector<const ChunkView*>& chunks) : chunks_(chunks) { enter_chunk(), skip_empty(); }
  bool done() const { return chunk_ == chunks_.size(); }
  const char* peek() const { return chunks_[chunk_]->records + record_ * trace::kRecordBytes; }
  uint32_t tid() const { return tid_; }
  // From here to the end of the chunk, the records belong to thread `tid`.
  void hand_to(uint32_t tid) { tid_ = tid; }
  void advance() {
    ++record_;
    skip_empty();
  }

 private:
  void skip_empty() {
    while (chunk_ < chunks_.size() && record_ >= chunks_[chunk_]->count) {
      ++chunk_;
      record_ = 0;
      enter_chunk();
    }
  }
  void enter_chunk() {
    if (chunk_ < chunks_.size()) tid_ = chunks_[chunk_]->header.tid;
  }
  const std::vector<const ChunkView*>& chunks_;
  size_t chunk_ = 0, record_ = 0;
  uint32_t tid_ = 0;
};

class TraceBuilder {
 public:
  TraceBuilder(Trace& trace, const std::string& name) : trace_(trace), name_(name) {}

  void read(RecordStream& stream) {
    const char* record = stream.peek();
    uint32_t tid = stream.tid();
    stream.advance();
    const size_t wanted = payload_bytes(record);
    payload_.clear();
    if (wanted != 0 && !collect(stream, wanted)) {
      ++trace_.partial_records;  // the process died while it wrote them
      return;
    }
    if (record_type(record) == RecordType::kThread)
      if (const uint32_t next = load<trace::TextRecord>(record).id) stream.hand_to(tid = next);
    add(record, tid);
  }

 private:
  bool collect(RecordStream& stream, size_t wanted) {
    while (payload_.size() < wanted) {
      if (stream.done()) return false;
      if (record_type(stream.peek()) != RecordType::kPayload) fail("a record lacks its continuation");
      auto part = load<trace::PayloadRecord>(stream.peek());
      if (part.bytes == 0 || part.bytes > trace::kPayloadBytesPerRecord) fail("a continuation has an impossible size");
      payload_.append(part.data, part.bytes);
      stream.advance();
    }
    if (payload_.size() != wanted) fail("a continuation is longer than its record says");
    return true;
  }

  void add(const char* record, uint32_t tid) {
    switch (record_type(record)) {
      case RecordType::kNone:
        return;
      case RecordType::kCall:
        return push(trace_.calls, record, tid);
      case RecordType::kIdle:
        return push(trace_.idles, record, tid);
      case RecordType::kBurst:
        return push(trace_.bursts, record, tid);
      case RecordType::kSiteCount:
        return push(trace_.site_counts, record, tid);
      case RecordType::kRange:
        return push(trace_.ranges, record, tid);
      case RecordType::kGpuWork:
        return push(trace_.gpu_work, record, tid);
      case RecordType::kAllocation:
        return push(trace_.allocations, record, tid);
      case RecordType::kSent:
        return push(trace_.sent, record, tid);
      case RecordType::kGemm:
        return push(trace_.gemms, record, tid);
      case RecordType::kDevice:
        trace_.devices.push_back(load<trace::DeviceRecord>(record));
        return;
      case RecordType::kWindow:
        trace_.windows.push_back(load<trace::WindowRecord>(record));
        return;
      case RecordType::kSample:
        trace_.samples.push_back(load<trace::SampleRecord>(record));
        return;
      case RecordType::kOtherSample:
        trace_.other_samples.push_back(load<trace::OtherSampleRecord>(record));
        return;
      case RecordType::kClockPair:
        trace_.clock_pairs.push_back(load<trace::ClockPairRecord>(record));
        return;
      case RecordType::kStack:
        return add_stack(load<trace::StackRecord>(record));
      case RecordType::kModule:
        return add_module(load<trace::ModuleRecord>(record));
      case RecordType::kPythonCode:
        return add_code(load<trace::PythonCodeRecord>(record));
      case RecordType::kString:
        trace_.strings[load<trace::TextRecord>(record).id] = payload_;
        return;
      case RecordType::kApiName:
        trace_.apis[load<trace::TextRecord>(record).id] = payload_;
        return;
      case RecordType::kThread:
        trace_.thread_names[tid] = payload_;
        return;
      case RecordType::kProcess:
        return add_process(load<trace::ProcessRecord>(record));
      case RecordType::kNote:
        trace_.notes.push_back(payload_);
        return;
      case RecordType::kSymbol:
        return add_symbol(load<trace::SymbolRecord>(record));
      case RecordType::kPayload:
        fail("a continuation belongs to no record");
    }
    ++trace_.unknown_records;
  }

  template <class Record>
  static void push(std::vector<Event<Record>>& events, const char* record, uint32_t tid) {
    events.push_back({load<Record>(record), tid});
  }

  void add_stack(const trace::StackRecord& record) {
    const size_t native_bytes = size_t{record.native_frames} * sizeof(uint64_t);
    if (native_bytes + size_t{record.python_frames} * 2 * sizeof(uint32_t) != payload_.size())
      fail("a stack's frames do not fit its size");
    Stack stack;
    stack.native.resize(record.native_frames);
    // An empty vector's data() may be null, which must not be passed to memcpy.
    if (native_bytes > 0) std::memcpy(stack.native.data(), payload_.data(), native_bytes);
    for (size_t i = 0; i < record.python_frames; ++i) {
      PythonFrame frame;
      std::memcpy(&frame, payload_.data() + native_bytes + i * sizeof frame, sizeof frame);
      stack.python.push_back(frame);
    }
    trace_.stacks[record.stack] = std::move(stack);
  }

  void add_module(const trace::ModuleRecord& record) {
    Module module;
    static const char* digits = "0123456789abcdef";
    for (size_t i = 0; i < record.build_id_bytes; ++i) {
      const auto byte = static_cast<unsigned char>(payload_[i]);
      module.build_id += digits[byte >> 4];
      module.build_id += digits[byte & 15];
    }
    module.path = payload_.substr(record.build_id_bytes);
    module.load_bias = record.load_bias;
    module.begin = record.begin;
    module.end = record.end;
    trace_.modules.push_back(std::move(module));
  }

  void add_process(const trace::ProcessRecord& record) {
    trace_.processes[record.pid] = std::string(record.name, std::min<size_t>(record.name_bytes, sizeof record.name));
  }

  void add_code(const trace::PythonCodeRecord& record) {
    PythonCode code;
    code.file = payload_.substr(0, record.file_bytes);
    code.name = payload_.substr(record.file_bytes, record.name_bytes);
    code.line_table = payload_.substr(size_t{record.file_bytes} + record.name_bytes);
    code.version = record.python_version;
    code.first_line = record.first_line;
    trace_.codes[record.code] = std::move(code);
  }

  void add_symbol(const trace::SymbolRecord& record) {
    trace_.symbols[record.address].push_back(
        {payload_.substr(0, record.function_bytes), payload_.substr(record.function_bytes), record.line});
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw TraceError(name_ + ": corrupted: " + what + "; record the trace again");
  }

  Trace& trace_;
  const std::string& name_;
  std::string payload_;
};

template <class Events, class Time>
void sort_by_time(Events& events, Time time) {
  std::stable_sort(events.begin(), events.end(), [&](const auto& a, const auto& b) { return time(a) < time(b); });
}

void sort_events(Trace& trace) {
  auto begin = [](const auto& event) { return event.record.begin_ns; };
  sort_by_time(trace.calls, begin);
  sort_by_time(trace.idles, begin);
  sort_by_time(trace.ranges, begin);
  sort_by_time(trace.gpu_work, begin);
  sort_by_time(trace.sent, begin);
  sort_by_time(trace.gemms, begin);
  sort_by_time(trace.bursts, [](const auto& event) { return event.record.first_begin_ns; });
  sort_by_time(trace.allocations, [](const auto& event) { return event.record.time_ns; });
  sort_by_time(trace.clock_pairs, [](const auto& pair) { return pair.cupti_ns; });
  sort_by_time(trace.windows, [](const auto& window) { return window.begin_ns; });
  sort_by_time(trace.samples, [](const auto& sample) { return sample.time_ns; });
  sort_by_time(trace.other_samples, [](const auto& sample) { return sample.time_ns; });
  sort_by_time(trace.modules, [](const auto& module) { return module.begin; });
}

std::string fixed_text(const char* text, size_t capacity) { return std::string(text, strnlen(text, capacity)); }

}  // namespace

Trace read_trace_bytes(const char* data, size_t size, const std::string& name) {
  const Layout layout = parse_layout(data, size, name);
  Trace trace;
  trace.path = name;
  trace.header = layout.header;
  TraceBuilder builder(trace, name);
  for (const auto& chunks : chunks_by_thread(layout))
    for (RecordStream stream(chunks); !stream.done();) builder.read(stream);
  sort_events(trace);
  return trace;
}

Trace read_trace(const std::string& path) {
  const MappedFile file(path);
  return read_trace_bytes(file.data(), file.size(), path);
}

const std::string& Trace::api_name(uint32_t id) const {
  static const std::string kUnknown = "unnamed call";
  auto it = apis.find(id);
  return it == apis.end() ? kUnknown : it->second;
}

const std::string& Trace::string(uint32_t id) const {
  static const std::string kUnknown;
  auto it = strings.find(id);
  return it == strings.end() ? kUnknown : it->second;
}

bool Trace::ended_early() const {
  return end_unknown() && header.stop_reason == static_cast<uint32_t>(trace::StopReason::kRunning);
}

uint64_t Trace::end_ns() const {
  if (header.end_monotonic_ns > header.start_monotonic_ns) return header.end_monotonic_ns;
  uint64_t last = header.start_monotonic_ns;
  for (const auto& call : calls) last = std::max(last, call.record.begin_ns + call.record.duration_ns);
  for (const auto& burst : bursts) last = std::max(last, burst.record.last_end_ns);
  for (const auto& idle : idles) last = std::max(last, idle.record.end_ns);
  for (const auto& count : site_counts) last = std::max(last, count.record.last_ns);
  return last;
}

std::vector<std::string> Trace::command_line() const {
  std::vector<std::string> words;
  const char* text = header.command_line;
  size_t capacity = sizeof header.command_line;
  while (capacity > 0 && *text != '\0') {
    words.push_back(fixed_text(text, capacity));
    const size_t step = std::min(capacity, words.back().size() + 1);
    text += step;
    capacity -= step;
  }
  if (words.empty()) {
    auto executable = fixed_text(header.executable, sizeof header.executable);
    if (!executable.empty()) words.push_back(std::move(executable));
  }
  return words;
}

}  // namespace syncsniff::reader
