// How long the code takes that follows a wait: waits and what a thread enqueues next are known outside of windows, too,
// where nothing slows the host down.
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

}  // namespace syncsniff::timeline
