// Converts CUPTI's clock to CLOCK_MONOTONIC with the pairs that the shim sampled, linearly between neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/trace/format.h"

namespace syncsniff::timeline {

class GpuClock {
 public:
  explicit GpuClock(std::vector<trace::ClockPairRecord> pairs);  // sorted by cupti_ns
  bool known() const { return !pairs_.empty(); }
  uint64_t monotonic(uint64_t cupti_ns) const;  // without pairs: returns its argument

 private:
  std::vector<trace::ClockPairRecord> pairs_;
};

}  // namespace syncsniff::timeline
