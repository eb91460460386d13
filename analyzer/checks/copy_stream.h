// Recognises streams that carry only copies to the device, such as a prefetcher's stream.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the wait is for a stream on which the program enqueues only copies to the device.
bool carries_copies_to_device_alone(const Program& program, const Located& where);

// Whether, in addition, no copy is enqueued on that stream between the start of the iteration and the wait. The wait is
// then for copies of an earlier iteration, and for no kernel.
bool waits_for_prefetched_copies(const Program& program, const Located& where);

}  // namespace syncsniff::checks
