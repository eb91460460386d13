// A result of a few bytes in managed memory that a kernel writes: the host waits, and reads it where it lies. That is a
// read-back like one by cudaMemcpy, without the copy.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/checks/exposure.h"

namespace syncsniff::checks {

// `read`, the access for which `wait` is needed, reads such a result, of at most `most_bytes`: a kernel that the loop
// launches before the wait may write it, and the host touches no other memory for which it would have to wait.
bool is_managed_scalar_read(const Program& program, Site wait, Site read, const SharedMemory& shared,
                            double most_bytes);

}  // namespace syncsniff::checks
