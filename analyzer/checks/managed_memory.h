// Whether the host can access managed memory between a wait and the next one: in the rest of the iteration, or in the
// beginning of the next. Only then is a wait for the kernels that use that memory needed.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// Where managed memory was allocated or declared, as file and offset.
using ManagedMemory = std::set<std::pair<std::string, unsigned>>;

// The managed memory among the origins.
ManagedMemory managed_in(const program::Origins& origins);

struct HostTouch {
  bool always = false;         // in each iteration of the wait's loop, as far as the code shows
  std::optional<Site> seldom;  // else: an access that only some of the iterations make
};
HostTouch host_touch_before_next_wait(const Program& program, Site wait, const ManagedMemory& memory);

}  // namespace syncsniff::checks
