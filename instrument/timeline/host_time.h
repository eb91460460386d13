// What the host did while a device was idle, from call to call. The parts of an idle interval add up to it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

enum class HostDoing : uint8_t {
  kCode,        // the program's own code, between two CUDA calls
  kLaunching,   // launch after launch: in the calls, and in the little code between them
  kWaiting,     // inside a call that waits for the device
  kAllocating,  // inside a call that allocates or frees
  kLoading,     // inside a call that loads code
  kOtherCall,   // inside another CUDA call
  kStarting,    // launch latency: the launch was made, its work has not started
  kNothing,     // the work was already queued: the host was not involved
};
inline constexpr size_t kHostDoings = 8;
const char* to_string(HostDoing doing);

struct HostPart {
  Interval interval;
  HostDoing doing = HostDoing::kCode;
  trace::HostState state = trace::HostState::kUnknown;  // of code, if samples show it
  uint32_t stack = 0;         // of code: where a sample found it, else the call after it; else the call's own
  uint32_t from = 0, to = 0;  // of code: the stacks of the calls before and after it
  bool sampled = false;       // a sample found the line
  uint32_t tid = 0;
  uint16_t api = 0;     // of a call
  bool copies = false;  // for a wait: it is a copy that blocks
};

class HostTime {
 public:
  // `blind`: stacks whose samples do not show what a thread did; those samples are ignored.
  HostTime(const reader::Trace& trace, const std::vector<Interval>& windows, std::unordered_set<uint32_t> blind = {});

  // The parts of an idle interval. `launch`: the call that launched the work that ended it; nullptr: not known.
  std::vector<HostPart> parts(const Interval& idle, const trace::CallRecord* launch) const;
  // What a call path launched in the windows: the number of launches, and the host's time from each to the next where
  // that counts as launching.
  struct Launches {
    uint64_t count = 0, spaced = 0, spacing_ns = 0;
    uint64_t in_row = 0;  // of count: directly followed by another launch from the same path
    uint64_t graphs = 0;  // of count
    uint64_t copies = 0;  // of count
  };
  const std::unordered_map<uint32_t, Launches>& launches() const { return launches_; }  // by stack
  // Median time from one enqueue to the next in the windows, at most 25 us.
  uint64_t launch_spacing_ns() const { return spacing_ns_; }

 private:
  struct Call {
    uint64_t begin, end;
    const trace::CallRecord* record;
    uint32_t tid;
  };
  static HostPart part_of(const Interval& interval, HostDoing doing, const Call& call);
  void add_code(const Interval& code, const Call* before, const Call* after, std::vector<HostPart>& parts) const;
  bool add_samples(const Interval& code, uint32_t tid, std::vector<HostPart>& parts) const;
  void group_samples();
  const trace::SampleRecord* telling(size_t look, uint32_t tid) const;
  void add_waits(const Interval& between, const Call* before, const Call* after, std::vector<HostPart>& parts) const;
  const Call* last_before(uint64_t time_ns) const;
  void count_launches(const std::vector<Interval>& windows);
  uint64_t longest_launching_ns() const;  // longer code between two launches counts as host code

  const reader::Trace& trace_;
  const std::unordered_set<uint32_t> blind_;
  std::vector<size_t> looks_;       // index of the first sample of each look at all threads, then the end of the last
  std::vector<Call> acts_, waits_;  // of all threads, by begin; waits_ are not in acts_
  uint64_t spacing_ns_ = 0;
  std::unordered_map<uint32_t, Launches> launches_;
};

}  // namespace syncsniff::timeline
