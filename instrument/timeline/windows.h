// The parts of a run in which every call and all work of the GPU was listed.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// Disjoint, in time order. A full timeline is one window without ends: time before its first work and after its last
// does not count. A window that the end of the process left open reaches to the end of the trace.
std::vector<Interval> find_windows(const reader::Trace& trace);

// The interval that contains this moment; nullptr: none does. `intervals`: disjoint, in time order.
const Interval* interval_at(const std::vector<Interval>& intervals, uint64_t time_ns);

// The whole steps of a window, from the first one that begins at `known_from_ns` or later to the last that ends in it;
// empty if it holds none. The rest is left out since idle time is too short at a window's ends (it begins with its
// first work) and steps are longest there: in windows of six steps, the idle time at the top of a step came out 6 % too
// short.
Interval whole_steps(const Interval& window, uint64_t known_from_ns, const std::vector<Interval>& steps);

enum class Where : uint8_t { kInWindow, kOutside, kAcross };
Where where(const Interval& interval, const std::vector<Interval>& windows);

}  // namespace syncsniff::timeline
