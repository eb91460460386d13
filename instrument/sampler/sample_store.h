// Stores the samples of one process, in bounded memory, and converts them to records when it has ended.
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
  std::vector<uint64_t> native;  // return addresses, innermost first
  // Number of the code object, bytes from its start; innermost first.
  std::vector<std::pair<uint32_t, uint32_t>> python;
};

// The number of a stack of the trace, or of one of the store's own.
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

// A sample of a thread that makes no CUDA calls.
struct OtherSample {
  uint64_t time_ns;
  uint32_t tid, pid, turns;  // pid: of a process without a trace; 0: the traced process
  StackName stack;
  trace::HostState state;
};

class SampleStore {
 public:
  void add(const Sample& sample) { samples_.push_back(sample); }
  void add(const OtherSample& sample) { others_.push_back(sample); }
  StackName name_of(const SampledStack& stack);  // 0 if there is no room for more
  // Changes addresses of a process without a trace to addresses that no process has. Each of its objects is recorded
  // once at such an address, wherever processes have mapped it.
  void move_apart(std::vector<uint64_t>& addresses, const MappedObjects& objects, RemoteMemory& memory);
  void add_process(uint32_t pid, const std::string& name) { processes_[pid] = name; }
  void add_note(const std::string& text);  // adds the same text only once
  size_t size() const { return samples_.size() + others_.size(); }
  bool is_empty() const { return samples_.empty() && notes_.empty(); }
  // Drops every second sample.
  void thin();

  // Returns kPythonCode, kModule, kStack, kSample, kOtherSample, kProcess and kNote records. Their stacks and codes are
  // numbered from first_stack and first_code on.
  std::string as_records(const std::vector<PythonCode>& codes, uint16_t python_version, uint32_t first_stack,
                         uint32_t first_code) const;

 private:
  struct MovedObject {
    uint64_t begin = 0, bytes = 0, bias = 0;
  };
  std::string process_records() const;  // includes the processes' objects

  std::unordered_map<std::string, uint32_t> known_;  // by content
  std::map<std::string, MovedObject> objects_;       // by path
  std::map<uint32_t, std::string> processes_;
  std::vector<SampledStack> stacks_;
  std::vector<Sample> samples_;
  std::vector<OtherSample> others_;
  std::vector<std::string> notes_;
};

}  // namespace syncsniff::sampler
