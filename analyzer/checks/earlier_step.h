// Recognises waits for an event of an earlier step. Such a wait only limits the number of steps in flight; it is the
// recommended form, not a stall.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// True if the event is recorded only after the wait in the same iteration, or is recorded in another slot of a ring, or
// is the oldest one in a queue of several.
bool waits_for_earlier_step(const Program& program, const Located& where);

// Whether the texts name different elements: events[(i - 1) & 1] and events[i & 1], or events[last] and events[now].
bool is_another_slot(const std::string& waited, const std::string& recorded);

// The chain of calls from the wait itself up to the call in the hot loop.
std::vector<Site> way_up(const Program& program, const Located& where);

// Whether the wait is only for a copy, so that the host may refill the memory while the GPU computes:
// cudaMemcpyAsync(device, host, ...); cudaEventRecord(event); kernel<<<...>>>(...); fill(other);
// cudaEventSynchronize(event).
bool waits_for_upload_alone(const Program& program, const Located& where);

}  // namespace syncsniff::checks
