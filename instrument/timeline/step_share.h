// A device's busy and idle time in the windows, as parts of one step. CUPTI slows launches down while a window is open:
// where steps outside windows are shorter, the difference is taken off the time that went into launching.
#pragma once

#include <cstdint>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

struct StepShare {
  bool of_steps = false;                         // false: no steps are known, and the figures are sums over the windows
  double steps = 0;                              // in the windows
  double step_ns = 0, busy_ns = 0, idle_ns = 0;  // busy and idle add up to step_ns
  double launching_scale = 1, other_scale = 1;   // from a sum over the windows to a step

  // What a sum over the windows is of a step.
  double of(HostDoing doing, uint64_t ns) const {
    return static_cast<double>(ns) * (doing == HostDoing::kLaunching ? launching_scale : other_scale);
  }
};

StepShare share_of_step(const DeviceTimeline& device, const Steps& steps);

}  // namespace syncsniff::timeline
