// Which recorded launch put which kernel on the device. CUPTI numbers calls as they come, so in a window the kernels by
// number are the launches by time, from some first one on. Each time CUPTI comes back to the process it begins again
// with 1: a number tells launches apart within one window only.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/gpu_clock.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// By the trace's own record of the kernel. Empty where it is not known which launch is which. Launches of graphs are
// left out.
using LaunchOf = std::unordered_map<const trace::GpuWorkRecord*, const trace::CallRecord*>;

LaunchOf match_launches(const reader::Trace& trace, const GpuClock& clock, const std::vector<Interval>& windows);

}  // namespace syncsniff::timeline
