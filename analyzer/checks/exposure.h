// The context of a wait: is it for timing, does the host need its result, which host work does it expose.
#pragma once

#include <optional>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/managed_memory.h"

namespace syncsniff::checks {

// A clock or an elapsed-time query is read soon after the wait.
bool is_timing(const Program& program, Site wait);

// Whether the kernels before the wait use managed memory that the host accesses after it.
HostTouch managed_access_behind(const Program& program, const Located& where);

// The asynchronous copy to the host that was enqueued just before in the same function: together with the wait it is
// one read-back.
std::optional<Located> read_back_before(const Program& program, const Located& where);

// The other way round: a wait follows the copy with nothing launched in between, in the iterations that make the copy.
bool is_waited_for_at_once(const Program& program, const Located& copy);

// Long host work between the wait and the next enqueue in the same function: "reads data", "prints"; empty: none seen.
std::string exposed_host_work(const Program& program, Site wait);

}  // namespace syncsniff::checks
