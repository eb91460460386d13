// Runs work in a process of its own, so that a failure loses nothing but its result, and its memory is freed at its
// end.
#pragma once

#include <chrono>
#include <functional>

namespace syncsniff::isolation {

// Waits for the end of `task`, and kills it after `patience`. No other thread may run in this process. False: it was
// killed, or crashed, or no process could be started.
bool run_in_child(const std::function<void()>& task, std::chrono::seconds patience);

}  // namespace syncsniff::isolation
