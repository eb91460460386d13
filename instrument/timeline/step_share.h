// A device's busy and idle time in the windows, as parts of one step. CUPTI slows launches down while a window is open:
// where steps outside windows are shorter, the difference is taken off the time that went into launching. Where they
// are not, since the host waits for another thread for as much less, the difference goes from launching to that wait.
#pragma once

#include <cstdint>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

struct StepShare {
  bool of_steps = false;     // false: no steps are known, and the figures are sums over the windows
  bool by_launches = false;  // the windows hold parts of steps, and were carried to a step by the number of launches
  double steps = 0;          // in the windows
  double step_ns = 0, busy_ns = 0, idle_ns = 0;  // busy and idle add up to step_ns
  double unseen_ns = 0;  // of idle: no window shows this part of a step, in which the host launches less or nothing
  // From a sum over the windows to a step. Waiting: of lines that wait for others.
  double launching_scale = 1, waiting_scale = 1, other_scale = 1;

  // What a sum over the windows is of a step.
  double of(const HostLine& line) const {
    if (of_steps && line.outside_factor > 0) return static_cast<double>(line.idle_ns) * line.outside_factor / steps;
    return static_cast<double>(line.idle_ns) * (line.waits_for_others() ? waiting_scale : scale_of(line.doing));
  }
  double of(const DeviceTimeline& device, HostDoing doing) const;
  // Of time without a line of its own.
  double of(HostDoing doing, uint64_t ns) const { return static_cast<double>(ns) * scale_of(doing); }

 private:
  double scale_of(HostDoing doing) const { return doing == HostDoing::kLaunching ? launching_scale : other_scale; }
};

StepShare share_of_step(const DeviceTimeline& device, const Steps& steps);

}  // namespace syncsniff::timeline
