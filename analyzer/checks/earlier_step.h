// Does the wait concern an event of an earlier step? Such a wait only limits the number of steps in flight; it is the
// recommended form, not a stall.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// True if the event is recorded only later in the same iteration, or in another slot of a ring, or is the oldest of a
// queue that holds several.
bool waits_for_earlier_step(const Program& program, const Located& where);

// events[(i - 1) & 1] and events[i & 1], or events[last] and events[now]: the texts name different elements.
bool is_another_slot(const std::string& waited, const std::string& recorded);

// From the wait itself up to the call in the loop.
std::vector<Site> way_up(const Program& program, const Located& where);

// cudaMemcpyAsync(device, host, ...); cudaEventRecord(event); kernel<<<...>>>(...); fill(other);
// cudaEventSynchronize(event): it waits for the copy alone while the GPU computes, and then the host may fill the
// memory again.
bool waits_for_upload_alone(const Program& program, const Located& where);

}  // namespace syncsniff::checks
