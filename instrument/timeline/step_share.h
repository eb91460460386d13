// Converts a device's busy and idle time in the windows to parts of one step. CUPTI slows launches down while a window
// is open: if steps outside of windows are shorter, the difference is subtracted from the time spent in launching. If
// they are not, because the host waits for another thread for less time by as much, the difference is moved from
// launching to that wait.
#pragma once

#include <cstdint>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

struct StepShare {
  bool of_steps = false;     // false: no steps are known, and the figures are sums over the windows
  bool by_launches = false;  // the windows hold parts of steps; sums were converted to a step by the number of launches
  double steps = 0;          // number of steps in the windows
  double step_ns = 0, busy_ns = 0, idle_ns = 0;  // busy and idle add up to step_ns
  double unseen_ns = 0;  // part of idle_ns: time in no window, in which the host launches less or nothing
  // Factors from a sum over the windows to a step. waiting_scale: for lines that wait for others.
  double launching_scale = 1, waiting_scale = 1, other_scale = 1;

  // Converts a sum over the windows to ns per step.
  double of(const HostLine& line) const {
    if (of_steps && line.outside_factor > 0) return static_cast<double>(line.idle_ns) * line.outside_factor / steps;
    return static_cast<double>(line.idle_ns) * (line.waits_for_others() ? waiting_scale : scale_of(line.doing));
  }
  double of(const DeviceTimeline& device, HostDoing doing) const;
  // The same for time that belongs to no line.
  double of(HostDoing doing, uint64_t ns) const { return static_cast<double>(ns) * scale_of(doing); }

 private:
  double scale_of(HostDoing doing) const { return doing == HostDoing::kLaunching ? launching_scale : other_scale; }
};

StepShare share_of_step(const DeviceTimeline& device, const Steps& steps);

}  // namespace syncsniff::timeline
