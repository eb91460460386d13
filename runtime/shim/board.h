// The table that the launcher reads from outside (runtime/trace/board.h): which threads record, and where what tells
// their place lies. Nothing here is on a hook's path.
#pragma once

namespace syncsniff::shim {

struct ThreadState;

// Fills the table and names it in the trace's header; before that no thread is on it.
void publish_board() noexcept;

void put_on_board(ThreadState& thread) noexcept;  // of the calling thread; nothing where the table is full
void take_off_board(ThreadState& thread) noexcept;
// A library's thread may get its interpreter state after its first call, and another one later.
void update_python_thread(const ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
