// Three threads that enqueue and wait at once: what the shim may claim to be idle time is told by what they saw.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

// Prints a line "kernel_from NS" and one "kernel_back NS" for each launch: CLOCK_MONOTONIC before and after the call.
void racing_threads(const Driver& driver);

}  // namespace client
