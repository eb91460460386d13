// Steps as a trainer makes them, of 2 ms each.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

// Thirty steps that wait for nothing: a copy from pinned memory, five launches and another copy; then as many at once.
void steps_without_waits(const Driver& driver);
// The same with one launch of a graph in each.
void graphs_without_waits(const Driver& driver);
// Thirty steps of two copies that end with a wait, from one line.
void steps_with_waits(const Driver& driver);
// The same from one of two lines, irregularly.
void steps_with_waits_by_turns(const Driver& driver);

// One line launches three kernels, irregularly; prints "kernel_0", "kernel_1", "kernel_2": how often each.
void kernels_by_turns(const Driver& driver);

}  // namespace client
