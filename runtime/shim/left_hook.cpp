// Handles a hook that never returned: a signal handler jumped out of a wait (siglongjmp), or an exception or thread
// cancellation unwound it. Only the real call runs with the program's signal mask and takes long; a record that such an
// exit leaves incomplete is not counted.
#include <signal.h>

#include <atomic>

#include "runtime/shim/polls.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

// Fibers and signal stacks lie elsewhere, or within a frame of this one: their addresses tell nothing.
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
  static std::atomic<bool> told{false};
  if (!told.exchange(true))
    write_note(thread,
               "CUDA calls were left before they returned (a jump out of a signal handler, an exception, a cancelled "
               "thread): those are not counted");
}

bool outer_hook_is_gone(uintptr_t frame) noexcept {
  ThreadState* const thread = t_slot.state;
  if (thread == nullptr) return true;  // left before it had one
  const trace::ErrnoKept errno_kept;
  const uintptr_t outer = t_slot.frame;
  bool gone = frame == outer;  // two that live have frames of their own
  if (!gone && is_on_own_stack(*thread, frame) && is_on_own_stack(*thread, outer))
    // A stack grows down: what is called from the outer one lies below it, and it still has where it returns to.
    gone = frame > outer || reinterpret_cast<const void* const*>(outer)[-1] != t_slot.return_address;
  if (gone) close_left_hook(*thread);
  return gone;
}

}  // namespace syncsniff::shim
