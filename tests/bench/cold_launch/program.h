// A program's own work between two launches, as the caches see it: like a LibTorch step, it runs more code and touches
// more data than the first two levels hold, in an order that is the same in each step.
#pragma once

#include <cstdint>

namespace cold_launch {

inline constexpr int kOperators = 99;  // launches of a step

// The work before launch number `which` of a step.
void work_before(int which) noexcept;
// What the driver itself does in a launch.
void work_of_driver() noexcept;

}  // namespace cold_launch
