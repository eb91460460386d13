// Kernels of which only a declaration was read: what they write is not known.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Whether the event passes the argument, through a pointer to non-const, to a kernel whose body was not read: directly,
// or through functions that it calls. The kernel may then write that memory.
bool may_be_written_unseen(const Program& program, Site site, int argument);

// Whether such a kernel also gets the memory to read, so that calls which are passed the same memory go on from one to
// the next: cell<<<1, 256>>>(w, x, x, n).
bool is_updated_unseen(const Program& program, Site site, int argument);

// Whether iterations of the loop may depend on each other in this way: the event passes memory that all iterations
// share to such a kernel, as train<<<1, 256>>>(weights, batch, n) does in a loop over batches.
bool shares_memory_unseen(const Program& program, Site site, int loop);

inline constexpr const char* kMayGoOn =
    "the kernel, whose body was not read, may write memory that all of them share, so that each starts from the last";

}  // namespace syncsniff::checks
