// What stands around a wait: is it for timing, does the host need what it waits for, what host work does it expose.
#pragma once

#include <optional>
#include <string>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

// A clock or an elapsed-time query is read right after (or the event waited for is asked for its time).
bool is_timing(const Program& program, Site wait);

// The kernels before the wait write managed memory, which the host may touch only after it.
bool guards_managed_reads(const Program& program, const Located& where);

// The asynchronous copy to the host that was enqueued just before in the same function: together with the wait it is
// one read-back.
std::optional<Located> read_back_before(const Program& program, const Located& where);

// Long host work between the wait and the next enqueue in the same function: "reads data", "prints"; empty: none seen.
std::string exposed_host_work(const Program& program, Site wait);

}  // namespace syncsniff::checks
