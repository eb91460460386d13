// How long the code takes that follows a wait, and how long allocations do: waits, what a thread enqueues next and
// allocations are known outside of windows, too, where nothing slows the host down.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

// By the wait's stack: the median time outside of windows, by the mean one within what of them is counted. So a sum
// over windows becomes the time of a typical step, whose length is a median, too. None where few are known.
using OutsideFactors = std::unordered_map<uint32_t, double>;

OutsideFactors code_after_waits(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                const std::vector<Interval>& counted);

// The same of calls that allocate or free memory, by their own stack. Few are slow: a call that CUPTI's coming or
// leaving holds up takes a hundred times as long, and would be a hundredth of a window's mean step.
OutsideFactors allocations_outside(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                   const std::vector<Interval>& counted);

}  // namespace syncsniff::timeline
