// Finds which recorded launch put which kernel on the device. CUPTI numbers calls in their order, so in a window the
// kernels by number correspond to the launches by time, from some first launch on. CUPTI restarts with 1 each time it
// is attached to the process, so a number identifies a launch within one window only.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/reader/trace.h"
#include "instrument/timeline/gpu_clock.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// Key: the trace's own record of the kernel. Windows whose pairing is uncertain have no entries, nor have launches of
// graphs.
using LaunchOf = std::unordered_map<const trace::GpuWorkRecord*, const trace::CallRecord*>;

LaunchOf match_launches(const reader::Trace& trace, const GpuClock& clock, const std::vector<Interval>& windows);

}  // namespace syncsniff::timeline
