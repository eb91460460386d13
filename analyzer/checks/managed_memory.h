// Whether the host can access memory that it shares with the GPU between a wait and the next one, in the rest of the
// iteration or at the beginning of the next. Only then is a wait for the kernels that use this memory needed. Managed
// memory is shared, as is pinned memory that kernels access in place.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Shared memory, identified by the file and offset of its allocation or declaration.
using ManagedMemory = std::set<std::pair<std::string, unsigned>>;

// The managed memory among the origins.
ManagedMemory managed_in(const program::Origins& origins);

// Pinned memory that the program's kernels access in place, through its own address or through the one that
// cudaHostGetDevicePointer returned.
ManagedMemory mapped_memory(const Program& program);

// Whether the program calls a library function that uses device memory at once, as MPI does; the kernels that write
// this memory must have finished before the call.
bool hands_device_memory_on(const Program& program);

struct HostTouch {
  bool always = false;         // in each iteration of the wait's loop, as far as the source shows
  std::optional<Site> touch;   // if `always`: the access; empty where it is only assumed
  std::optional<Site> seldom;  // if not `always`: an access that only some iterations make
};
// `unknown_counts`: code that cannot be analysed counts as an access. `for_all_work`: the wait is for the whole device.
HostTouch host_touch_before_next_wait(const Program& program, Site wait, const ManagedMemory& memory,
                                      bool unknown_counts, bool for_all_work);

}  // namespace syncsniff::checks
