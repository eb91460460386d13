// Streams that carry only copies to the device, as a prefetcher has.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// The wait is for a stream that the program enqueues copies to the device on, and nothing else.
bool carries_copies_to_device_alone(const Program& program, const Located& where);

// The wait is for a stream on which the program enqueues only copies to the device, none of them between the start of
// the iteration and the wait: it waits for copies of an earlier iteration, and for no kernel.
bool waits_for_prefetched_copies(const Program& program, const Located& where);

}  // namespace syncsniff::checks
