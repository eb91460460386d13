// Runs a function in a task of its own that shares our memory but has another table of descriptors, and waits for it.
// Whatever it opens and closes, no thread of the program can take its numbers, and it cannot hit one of the program's.
#pragma once

namespace syncsniff::trace {

// `work` must use no more than 16 KiB of stack, take no lock and leave no descriptor that is wanted later. False: the
// task could not be started, and `work` did not run; errno says why.
bool with_own_descriptors(void (*work)(void*), void* argument) noexcept;

}  // namespace syncsniff::trace
