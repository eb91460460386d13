// Start and end of the process: a forked child records nothing, and exit closes the trace.
#include <pthread.h>

#include "runtime/shim/command_line.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/thread_state.h"
#include "runtime/shim/wrappers.h"

namespace syncsniff::shim {
namespace {

void before_fork() noexcept {
  lock_slots();
  lock_proc_address();
}

void after_fork() noexcept {
  unlock_proc_address();
  unlock_slots();
}

// CUDA does not work in a forked child: until it calls exec there is nothing to record, and the trace file belongs to
// its parent. The kernel has mostly zeroed g_recording already (open_trace()).
void forked_child() noexcept {
  after_fork();
  if (trace_file().header() == nullptr) return;
  set_recording(false);
  trace_file().abandon();
}

void loaded(int count, char** arguments, char**) noexcept {
  remember_arguments(count, arguments);
  real_dlsym_pointer();
  pthread_atfork(before_fork, after_fork, forked_child);
}

// The loader calls it with main's arguments. A [[gnu::constructor]] may be called without them: GCC's link-time
// optimiser merges several into one function.
[[gnu::section(".init_array"), gnu::used]] void (*const g_loaded)(int, char**, char**) = loaded;

[[gnu::destructor]] void unloaded() noexcept {
  // A child that shares our memory (vfork, clone) may call exit().
  if (!recording() || !trace_file().owned()) return;
  stop_timeline();
  if (unwrapped_pointers() != 0) {
    if (ThreadState* thread = enter()) {
      write_note(
          *thread,
          "some driver functions were asked for in more forms than there are wrappers; their calls are not seen");
      leave();
    }
  }
  set_recording(false);
  trace_file().close(trace::StopReason::kExit);
}

}  // namespace
}  // namespace syncsniff::shim
