// Why a device ran dry: assigns a cause to each idle interval of the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_match.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

enum class IdleCause { kSync, kImplicitSync, kLaunchBound, kHostWork, kDependency, kEndEffects, kUnknown };
inline constexpr size_t kIdleCauses = 7;
const char* to_string(IdleCause cause);

struct IdleGap {
  Interval interval;
  IdleCause cause = IdleCause::kUnknown;
  uint32_t stack = 0;         // stack of the line blamed
  uint32_t before_stack = 0;  // for host work: the CUDA call before the gap; `stack` is then the call that ended it
  uint32_t api = 0;
};

class IdleBlame {
 public:
  // `launches` must outlive this object. `launch_spacing_ns`: usual time from one enqueue to the next.
  IdleBlame(const reader::Trace& trace, const LaunchOf& launches, uint64_t launch_spacing_ns);
  // `next`: the work that ended the gap.
  IdleGap blame(const Interval& gap, const trace::GpuWorkRecord& next) const;

 private:
  struct HostCall {
    uint64_t begin, end;
    const trace::CallRecord* record;
  };
  static bool begins_before(const HostCall& call, uint64_t time_ns) { return call.begin < time_ns; }
  // The call that last made this work's stream wait; if there is none, the launch itself.
  const trace::CallRecord* dependency_of(const trace::GpuWorkRecord& work) const;
  const HostCall* wait_at(uint64_t time_ns) const;
  const HostCall* longest_in(const Interval& gap, uint64_t* covered_ns) const;

  const LaunchOf& launch_of_;
  uint64_t launch_spacing_ns_;
  std::vector<HostCall> waits_, enqueues_, stream_waits_;
};

}  // namespace syncsniff::timeline
