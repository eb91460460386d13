// What the host did while a device was idle, by name: the same names and figures in the report, in gates, in the table
// of a job's processes, in `diff` and in `scale`.
#pragma once

#include <string>
#include <vector>

#include "instrument/timeline/gpu_timeline.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {

struct HostPart {
  std::string name;    // doing_text(): "launching", "host code", "asleep", "waits: a read"
  double ns = 0;       // of a step; without steps, of the windows
  bool waits = false;  // for the GPU, another thread or process, a file or a clock
};

// Greatest first, without those that are 0. Host code that slept, or waited for others, is a part by that name, and is
// not in "host code". Time in no window (StepShare::unseen_ns) belongs to none.
std::vector<HostPart> host_parts(const timeline::DeviceTimeline& device, const timeline::StepShare& share);

// Why the device ran dry, in the same unit, greatest first; without end effects. With the time in no window they add up
// to the idle time.
std::vector<HostPart> idle_causes(const timeline::DeviceTimeline& device, const timeline::StepShare& share);

// The part that is named after `doing`; 0: there is none.
double part_ns(const std::vector<HostPart>& parts, timeline::HostDoing doing);

}  // namespace syncsniff::report
