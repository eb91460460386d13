// Handles a hook that never returned: a signal handler jumped out of a wait (siglongjmp), or an exception or thread
// cancellation unwound it. Only the real call takes long and runs with the program's signal mask; a record that such an
// exit leaves incomplete does not count.
#include <signal.h>

#include <atomic>

#include "runtime/shim/polls.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

// Fibers and signal stacks are elsewhere, or within a frame of this stack, so their addresses cannot be compared.
bool is_on_own_stack(const ThreadState& thread, uintptr_t frame) noexcept {
  stack_t signal_stack;
  if (sigaltstack(nullptr, &signal_stack) != 0 || (signal_stack.ss_flags & SS_ONSTACK) != 0) return false;
  return frame > thread.stack_low && frame < thread.stack_top;
}

}  // namespace

void close_left_hook(ThreadState& thread) noexcept {
  leave();
  close_poll(thread);
  thread.burst = nullptr;
  thread.clock = ThreadClock{};
  forget_left_call(thread);
  static std::atomic<bool> is_reported{false};
  if (!is_reported.exchange(true))
    write_note(thread,
               "CUDA calls were left before they returned (a jump out of a signal handler, an exception, a cancelled "
               "thread): those are not counted");
}

bool outer_hook_is_gone(uintptr_t frame) noexcept {
  ThreadState* const thread = t_slot.state;
  if (thread == nullptr) return true;  // it was left before the thread had a state
  const trace::ErrnoKept errno_kept;
  const uintptr_t outer = t_slot.frame;
  bool gone = frame == outer;  // two live hooks have different frames
  if (!gone && is_on_own_stack(*thread, frame) && is_on_own_stack(*thread, outer))
    // Stacks grow down: a call from the outer hook has a lower frame, and the outer hook's return address is still in
    // place.
    gone = frame > outer || reinterpret_cast<const void* const*>(outer)[-1] != t_slot.return_address;
  if (gone) close_left_hook(*thread);
  return gone;
}

}  // namespace syncsniff::shim
