// The samples of one process while it runs, in bounded memory, and as records when it has ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/python_codes.h"
#include "runtime/trace/format.h"

namespace syncsniff::sampler {

struct SampledStack {
  std::vector<uint64_t> native;                       // return addresses, innermost first
  std::vector<std::pair<uint32_t, uint32_t>> python;  // number of the code, bytes from its start; innermost first
};

// A stack of the trace, or one of the store's own.
struct StackName {
  uint32_t number = 0;  // 0: none
  bool is_own = false;
};

struct Sample {
  uint64_t time_ns;
  uint32_t tid;
  StackName stack;
  trace::HostState state;
  bool in_call;
};

// Of a thread that makes no CUDA calls.
struct OtherSample {
  uint64_t time_ns;
  uint32_t tid, pid, turns;  // pid: of a process without a trace; 0: the traced one
  StackName stack;
  trace::HostState state;
};

class SampleStore {
 public:
  void add(const Sample& sample) { samples_.push_back(sample); }
  void add(const OtherSample& sample) { others_.push_back(sample); }
  StackName name_of(const SampledStack& stack);  // none when there is no room for more
  // Addresses of a process without a trace become such as no process has. Under them its objects are recorded, each
  // once, wherever processes have it.
  void move_apart(std::vector<uint64_t>& addresses, const MappedObjects& objects, RemoteMemory& memory);
  void add_process(uint32_t pid, const std::string& name) { processes_[pid] = name; }
  void add_note(const std::string& text);  // once, however often
  size_t size() const { return samples_.size() + others_.size(); }
  bool is_empty() const { return samples_.empty() && notes_.empty(); }
  // Drops every second sample.
  void thin();

  // kPythonCode, kModule, kStack, kSample, kOtherSample, kProcess and kNote records, whose stacks and codes have the
  // numbers from these on.
  std::string as_records(const std::vector<PythonCode>& codes, uint16_t python_version, uint32_t first_stack,
                         uint32_t first_code) const;

 private:
  struct MovedObject {
    uint64_t begin = 0, bytes = 0, bias = 0;
  };
  std::string process_records() const;  // and of their objects

  std::unordered_map<std::string, uint32_t> known_;  // by content
  std::map<std::string, MovedObject> objects_;       // by path
  std::map<uint32_t, std::string> processes_;
  std::vector<SampledStack> stacks_;
  std::vector<Sample> samples_;
  std::vector<OtherSample> others_;
  std::vector<std::string> notes_;
};

}  // namespace syncsniff::sampler
