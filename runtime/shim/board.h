// The table that the launcher reads from outside (runtime/trace/board.h): it lists the threads that record, and the
// addresses from which their call places can be read. None of these functions is on a hook's path.
#pragma once

namespace syncsniff::shim {

struct ThreadState;

// Fills the table and stores its address in the trace's header. Must run before threads are added.
void publish_board() noexcept;

void put_on_board(ThreadState& thread) noexcept;  // adds the calling thread; does nothing if the table is full
void take_off_board(ThreadState& thread) noexcept;
// Updates the thread's interpreter state: a library's thread may get one only after its first call, and another one
// later.
void update_python_thread(const ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
