// Recognises results of a few bytes that a kernel writes to managed memory: the host waits and reads them in place.
// This is a read-back like one by cudaMemcpy, without the copy.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/checks/exposure.h"

namespace syncsniff::checks {

// Whether `read`, the access that makes `wait` necessary, reads such a result of at most `most_bytes`: a kernel that
// the innermost loop, or else the function, launches before the wait may write it, and the host accesses no other
// memory that would require the wait.
bool is_managed_scalar_read(const Program& program, Site wait, Site read, const SharedMemory& shared,
                            double most_bytes);

}  // namespace syncsniff::checks
