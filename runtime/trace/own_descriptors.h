// Runs a function in a kernel task that shares the program's memory but has its own file descriptor table, and waits
// for its end. Descriptors that it opens or closes cannot collide with those that the program's threads use.
#pragma once

namespace syncsniff::trace {

// `work` must use at most 16 KiB of stack, take no lock and need none of its descriptors afterwards. Returns false,
// with errno set, if the task could not be started and `work` did not run.
bool with_own_descriptors(void (*work)(void*), void* argument) noexcept;

}  // namespace syncsniff::trace
