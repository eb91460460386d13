// How much longer a window makes the host's enqueueing. The length of steps shows this only if nothing else in them
// becomes shorter in return: a host that waits for another thread then waits less.
#pragma once

#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

// Medians of the host time of a regular step in bursts, from the first enqueue of each to its last; 0 if fewer than
// kFewSteps are known.
struct EnqueueTime {
  double in_windows_ns = 0, outside_ns = 0;
  bool known() const { return in_windows_ns > 0 && outside_ns > 0; }
};

inline constexpr size_t kFewSteps = 5;  // a median of fewer says little

EnqueueTime enqueue_time(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows);

}  // namespace syncsniff::timeline
