// The samples of one process while it runs, in bounded memory, and as records when it has ended.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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
  uint32_t tid, turns;
  StackName stack;
  trace::HostState state;
};

class SampleStore {
 public:
  void add(const Sample& sample) { samples_.push_back(sample); }
  void add(const OtherSample& sample) { others_.push_back(sample); }
  StackName name_of(const SampledStack& stack);  // none when there is no room for more
  void add_note(const std::string& text);        // once, however often
  size_t size() const { return samples_.size() + others_.size(); }
  bool is_empty() const { return samples_.empty() && notes_.empty(); }
  // Drops every second sample.
  void thin();

  // kPythonCode, kStack, kSample, kOtherSample and kNote records, whose stacks and codes have the numbers from these
  // on.
  std::string as_records(const std::vector<PythonCode>& codes, uint16_t python_version, uint32_t first_stack,
                         uint32_t first_code) const;

 private:
  std::unordered_map<std::string, uint32_t> known_;  // by content
  std::vector<SampledStack> stacks_;
  std::vector<Sample> samples_;
  std::vector<OtherSample> others_;
  std::vector<std::string> notes_;
};

}  // namespace syncsniff::sampler
