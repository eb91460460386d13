// Streams that carry nothing but copies to the device: a prefetcher's.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// The wait is for a stream on which the program enqueues only copies to the device, none of them between the start of
// the iteration and the wait: it waits for what an earlier iteration asked for, and no kernel does.
bool waits_for_prefetched_copies(const Program& program, const Located& where);

}  // namespace syncsniff::checks
