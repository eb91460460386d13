// How long the code after a wait takes, and how long allocations take. Waits, the next enqueue of a thread and
// allocations are recorded outside of windows, too, where nothing slows the host down.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

// By the wait's stack: the median time outside of windows divided by the mean time in the counted parts of windows. A
// sum over windows times this factor is the time of a typical step, whose length is a median, too. Stacks with fewer
// than kFewSteps times in windows or outside are missing. Several times a step are added up step by step, since short
// and long ones differ in what they do.
using OutsideFactors = std::unordered_map<uint32_t, double>;

OutsideFactors code_after_waits(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                const std::vector<Interval>& counted);

// The same for calls that allocate or free memory, by their own stack. Few of them are slow: a call that the attaching
// or detaching of CUPTI delays takes a hundred times as long, and would be a hundredth of a window's mean step.
OutsideFactors allocations_outside(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                   const std::vector<Interval>& counted);

}  // namespace syncsniff::timeline
