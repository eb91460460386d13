// Whether the host can touch managed memory between a wait and the next one: in the rest of the iteration, and around
// the loop's back edge. Only then is a wait for the kernels that work on that memory needed.
#pragma once

#include <set>
#include <string>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Where managed memory was allocated or declared, as file and offset.
using ManagedMemory = std::set<std::pair<std::string, unsigned>>;

// The managed memory among the origins.
ManagedMemory managed_in(const program::Origins& origins);

bool host_touches_before_next_wait(const Program& program, Site wait, const ManagedMemory& memory);

}  // namespace syncsniff::checks
