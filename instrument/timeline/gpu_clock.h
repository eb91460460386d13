// CUPTI's clock carried to CLOCK_MONOTONIC by the pairs that the shim sampled: linear between neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/trace/format.h"

namespace syncsniff::timeline {

class GpuClock {
 public:
  explicit GpuClock(std::vector<trace::ClockPairRecord> pairs);  // sorted by cupti_ns
  bool known() const { return !pairs_.empty(); }
  uint64_t monotonic(uint64_t cupti_ns) const;  // without pairs: the same number

 private:
  std::vector<trace::ClockPairRecord> pairs_;
};

}  // namespace syncsniff::timeline
