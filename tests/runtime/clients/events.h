// Waits for events, and what is asked of them.
#pragma once

#include "tests/runtime/clients/driver.h"

namespace client {

// Two waits: the first is for the last thing on its stream, the second is not. Prints "wait_ms" of the first.
void wait_for_event(const Driver& driver);
// Asks until an event has come; prints "wait_ms" and "asks".
void spin_on_query(const Driver& driver);
// An event is destroyed before its work is done; the next one gets its handle, and nobody records it. Prints "same".
void handle_used_again(const Driver& driver);

// A thread waits for an event that another one records on a busy stream and on an empty one by turns, while
// a kernel runs on the busy one.
void recorded_by_turns(const Driver& driver);

}  // namespace client
