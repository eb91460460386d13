// How many steps the launches in a device's windows make up. If no window is as long as a step, the windows' time does
// not show this, since no window opens while the host launches nothing.
#pragma once

#include <cstdint>

#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// `kernels`: their number in the windows, each launched by a call of its own. Memsets are not counted as launches.
// Returns 0 if not known.
double launched_steps(const reader::Trace& trace, const Steps& steps, uint32_t device, uint64_t kernels);

}  // namespace syncsniff::timeline
