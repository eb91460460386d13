// NVTX ranges as steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

// All ranges of one name at one depth of one thread.
struct RangeGroup {
  std::string name, domain;  // domain: empty for the default one
  uint16_t depth = 0;
  std::vector<uint64_t> begins;  // ascending
  uint64_t last_end = 0;
};

// By depth, then the most frequent first.
std::vector<RangeGroup> range_groups(const reader::Trace& trace);

// The most frequent name at the outermost depth where one comes at least three times. Of the default domain alone:
// libraries (CUB, NCCL, cuDNN) push ranges in domains of their own, as often as they are called. `count`: where a name
// comes as often as that, it is taken; 0: not known.
const RangeGroup* step_ranges(const std::vector<RangeGroup>& groups, size_t count);

}  // namespace syncsniff::timeline
