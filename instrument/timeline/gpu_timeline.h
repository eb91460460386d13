// Per device, from CUPTI's records: busy is the union of kernels, copies and sets; the rest, from the first to the last
// of them, is idle; every idle interval has exactly one cause and one line, so the causes add up to the idle time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

enum class IdleCause { kSync, kImplicitSync, kLaunchBound, kHostWork, kDependency, kEndEffects, kUnknown };
inline constexpr size_t kIdleCauses = 7;
const char* to_string(IdleCause cause);

struct IdleGap {
  Interval interval;
  IdleCause cause = IdleCause::kUnknown;
  uint32_t stack = 0;         // the line blamed
  uint32_t before_stack = 0;  // host work: the CUDA call before the gap; `stack` is the one that ended it
  uint32_t api = 0;
};

// All gaps of one cause and line.
struct IdleLine {
  IdleCause cause = IdleCause::kUnknown;
  reader::Place place, before;
  std::string api;
  uint64_t idle_ns = 0, gaps = 0;
};

struct DeviceTimeline {
  uint32_t device = 0;
  Interval span;
  uint64_t busy_ns = 0, idle_ns = 0;
  uint64_t kernels = 0, copies = 0, sets = 0;
  std::array<uint64_t, kIdleCauses> idle_by_cause{};
  std::vector<IdleGap> gaps;
  std::vector<IdleLine> lines;  // greatest first
};

// By device number; empty when the run recorded no GPU-side work. Where there are steps, idle time before the first and
// after the last regular one counts as end effects.
std::vector<DeviceTimeline> build_gpu_timelines(const reader::Trace& trace, const reader::Places& places,
                                                const Steps& steps = {});

// Blames one gap; gpu_idle.cpp. `calls` of the trace are sorted by begin.
class IdleBlame {
 public:
  explicit IdleBlame(const reader::Trace& trace);
  // `next`: the work that ended it.
  IdleGap blame(const Interval& gap, const trace::GpuWorkRecord& next) const;

 private:
  struct HostCall {
    uint64_t begin, end;
    const trace::CallRecord* record;
  };
  static bool begins_before(const HostCall& call, uint64_t time_ns) { return call.begin < time_ns; }
  void match_launches(const reader::Trace& trace);
  const HostCall* dependency_of(const trace::GpuWorkRecord& work) const;
  const HostCall* wait_at(uint64_t time_ns) const;
  const HostCall* longest_in(const Interval& gap, uint64_t* covered_ns) const;
  std::vector<HostCall> waits_, enqueues_;
  std::vector<HostCall> stream_waits_;
  std::map<uint32_t, HostCall> launch_of_;  // by CUPTI's correlation; empty: it is not known which launch is which
  uint64_t launch_spacing_ns_ = 0;          // median from one enqueue to the next, no wait between
};

}  // namespace syncsniff::timeline
