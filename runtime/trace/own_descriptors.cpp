#include "runtime/trace/own_descriptors.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "runtime/trace/signals_held.h"

namespace syncsniff::trace {
namespace {

constexpr long kCloseRange = 436;  // SYS_close_range and its flag, which older headers have not
constexpr unsigned kCloseRangeUnshare = 2;

struct Job {
  void (*work)(void*);
  void* argument;
};

// The task begins with a copy of the program's table. It gives the copies up at once, so that a pipe's or a socket's
// other end hardly ever sees them, and so that there are numbers to be had where the program uses all of its own
// (ulimit -n). Closing a copy releases no lock: those belong to the other table.
int run_job(void* argument) noexcept {
  const Job& job = *static_cast<const Job*>(argument);
  // Before Linux 5.9 there is no such call: the copies go when the task ends.
  syscall(kCloseRange, 0u, ~0u, kCloseRangeUnshare);
  job.work(job.argument);
  return 0;
}

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;  // over the stack
alignas(64) char g_stack[32 * 1024];                  // not mapped: the address space may be limited

}  // namespace

bool with_own_descriptors(void (*work)(void*), void* argument) noexcept {
  // The task has the caller's thread-local storage: no handler of the program's may run in it.
  const SignalsHeld signals_held;
  pthread_mutex_lock(&g_mutex);
  Job job{work, argument};
  // A thread to the kernel, so that no wait() of the program's finds it. CLONE_VFORK: we go on when it has ended.
  constexpr int kFlags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
  const bool ran = clone(run_job, g_stack + sizeof(g_stack), kFlags, &job) > 0;
  pthread_mutex_unlock(&g_mutex);
  return ran;
}

}  // namespace syncsniff::trace
