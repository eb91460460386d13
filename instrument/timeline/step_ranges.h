// Uses NVTX ranges as steps.
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

// Ordered by depth, then the most frequent first.
std::vector<RangeGroup> range_groups(const reader::Trace& trace);

// The most frequent name at the outermost depth where one occurs at least three times; nullptr: none does. Only the
// default domain counts: libraries (CUB, NCCL, cuDNN) push a range in a domain of their own for each call. `count`: a
// name that occurs this often is preferred; 0: not known.
const RangeGroup* step_ranges(const std::vector<RangeGroup>& groups, size_t count);

}  // namespace syncsniff::timeline
