// Work whose failure costs nothing but itself: done in a process of its own, whose memory is gone with it.
#pragma once

#include <chrono>
#include <functional>

namespace syncsniff::isolation {

// Waits for the end of `task`, and ends it after `patience`. No other thread may run in this process. False: it was
// ended, or crashed, or no process could be started.
bool run_in_child(const std::function<void()>& task, std::chrono::seconds patience);

}  // namespace syncsniff::isolation
