// Whether the host can access memory that it shares with the GPU between a wait and the next one: in the rest of the
// iteration, or in the beginning of the next. Only then is a wait for the kernels that use that memory needed. Shared
// are managed memory, and pinned memory that kernels are handed.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Where shared memory was allocated or declared, as file and offset.
using ManagedMemory = std::set<std::pair<std::string, unsigned>>;

// The managed memory among the origins.
ManagedMemory managed_in(const program::Origins& origins);

// Pinned memory that kernels of the program read and write in place, by its own address or by another that
// cudaHostGetDevicePointer gave.
ManagedMemory mapped_memory(const Program& program);

// Some library function uses the GPU's memory at once, as MPI does: what writes that memory must have finished.
bool hands_device_memory_on(const Program& program);

struct HostTouch {
  bool always = false;         // in each iteration of the wait's loop, as far as the code shows
  std::optional<Site> touch;   // always: the access, where one was found
  std::optional<Site> seldom;  // else: an access that only some of the iterations make
};
// What cannot be told is an access if `unknown_counts`. `for_all_work`: the wait is one for the whole device.
HostTouch host_touch_before_next_wait(const Program& program, Site wait, const ManagedMemory& memory,
                                      bool unknown_counts, bool for_all_work);

}  // namespace syncsniff::checks
