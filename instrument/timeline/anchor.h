// Finds the call that a training step begins with, in one thread's sequence of calls. The sequence may have a start-up
// before the steps, occasional extra calls, and inner loops. Works on plain data and does not know traces.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace syncsniff::timeline {

struct TimedSymbol {
  uint32_t symbol = 0;  // a line of the user's source
  uint64_t time_ns = 0;
};

struct TimedCount {
  uint64_t time_ns = 0;
  uint64_t count = 0;
};

struct Anchor {
  uint32_t symbol = 0;
  std::vector<uint64_t> begins;  // of the steps; the last one ends the step before it
  size_t explained = 0;          // calls that lie in segments of regular length
  double coverage = 0;           // share of the time between the first and the last begin in such segments
  double regularity = 0;         // share of segments between half and twice the median length
};

// `launches`: when kernels were enqueued, by any thread, in time order; may be empty.
// Returns nullopt if no symbol cuts the sequence into at least three segments that are mostly alike.
std::optional<Anchor> find_anchor(const std::vector<TimedSymbol>& sequence, const std::vector<TimedCount>& launches);

}  // namespace syncsniff::timeline
