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

// Thirty steps of a copy, an inner loop and a copy at its end; of an inner round: a copy, the launch of a graph, or a
// wait before its copy.
void copies_in_an_inner_loop(const Driver& driver);
void graphs_in_an_inner_loop(const Driver& driver);
void waits_in_an_inner_loop(const Driver& driver);
// A copy a step, then some rounds of waiting and launching, now more and now fewer.
void waits_until_solved(const Driver& driver);

// One line launches three kernels, irregularly; prints "kernel_0", "kernel_1", "kernel_2": how often each.
void kernels_by_turns(const Driver& driver);
// One line launches five thousand, in the same order each time.
void thousands_of_kernels(const Driver& driver);

}  // namespace client
