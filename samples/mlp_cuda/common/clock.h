// The clock of the trainers, in nanoseconds: the one that syncsniff's traces are on, too.
#pragma once

#include <cstdint>

std::uint64_t now_ns();  // CLOCK_MONOTONIC
