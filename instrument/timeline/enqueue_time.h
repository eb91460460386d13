// How much longer a window makes the host's enqueueing. Steps tell it only where nothing else in them becomes shorter
// in return: a host that waits for another thread waits less long then.
#pragma once

#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

// Host time of a regular step in bursts, from the first enqueue of each to its last: medians, 0 where fewer than
// kFewSteps are known.
struct EnqueueTime {
  double in_windows_ns = 0, outside_ns = 0;
  bool known() const { return in_windows_ns > 0 && outside_ns > 0; }
};

inline constexpr size_t kFewSteps = 5;  // a median of fewer says little

EnqueueTime enqueue_time(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows);

}  // namespace syncsniff::timeline
