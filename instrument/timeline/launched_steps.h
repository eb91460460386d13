// How many steps' launches a device's windows hold: where no window is as long as a step, its time does not tell, since
// no window opens while the host launches nothing.
#pragma once

#include <cstdint>

#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// `works`: kernels and memsets in the windows that were launched one by one. 0: not known.
double launched_steps(const reader::Trace& trace, const Steps& steps, uint32_t device, uint64_t works);

}  // namespace syncsniff::timeline
