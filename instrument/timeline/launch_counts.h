// What the number of launches of each kind in the whole run says about steps. A kind is a call path and a kernel. Most
// of what a step does it does once, so the number that most kinds share is the number of steps, or of layers in all of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_steps.h"

namespace syncsniff::timeline {

// The device with the most launches in the whole run; 0 if there are none.
uint32_t busiest_device(const reader::Trace& trace);

// The number that most kinds share which the device launched until the end of the run. nullopt: it is below kMinSteps
// or above kMostSteps, or fewer than eight kinds share it.
std::optional<LaunchSteps> count_common_launches(const reader::Trace& trace, uint32_t device);

// Launches that come once in `every` steps: they may begin the real step, which repeats what was taken for steps as an
// inner loop does; or they are a validation.
struct RarerLaunches {
  size_t count = 0, every = 0, kinds = 0;
};

// The largest group of kinds with one number that is a fraction of `steps`, launched until the end of the run. nullopt:
// there are fewer than four kinds of them, or fewer than a tenth of those that come once a step; what is logged now and
// then is a kind or two.
std::optional<RarerLaunches> find_rarer_launches(const reader::Trace& trace, uint32_t device, size_t steps);

}  // namespace syncsniff::timeline
