#include "runtime/trace/own_descriptors.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "runtime/trace/signals_held.h"

namespace syncsniff::trace {
namespace {

constexpr long kCloseRange = 436;  // SYS_close_range and its flag, which older headers lack
constexpr unsigned kCloseRangeUnshare = 2;

struct Job {
  void (*work)(void*);
  void* argument;
};

// The task starts with a copy of the program's descriptor table and closes the copies at once. Thus the peer of a pipe
// or socket hardly ever notices them, and free numbers exist even if the program uses all of its own (ulimit -n).
// Closing a copy releases no POSIX file lock, since locks belong to the other table.
int run_job(void* argument) noexcept {
  const Job& job = *static_cast<const Job*>(argument);
  // Before Linux 5.9 this call does not exist: the copies are closed when the task ends.
  syscall(kCloseRange, 0u, ~0u, kCloseRangeUnshare);
  job.work(job.argument);
  return 0;
}

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;  // protects g_stack
alignas(64) char g_stack[32 * 1024];                  // static, not mapped, since the address space may be limited

}  // namespace

bool with_own_descriptors(void (*work)(void*), void* argument) noexcept {
  // The task uses the caller's thread-local storage, so no signal handler of the program may run in it.
  const SignalsHeld signals_held;
  pthread_mutex_lock(&g_mutex);
  Job job{work, argument};
  // CLONE_THREAD: to the kernel the task is a thread, so no wait() of the program finds it. CLONE_VFORK: clone()
  // returns when the task has ended.
  constexpr int kFlags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
  const bool ran = clone(run_job, g_stack + sizeof(g_stack), kFlags, &job) > 0;
  pthread_mutex_unlock(&g_mutex);
  return ran;
}

}  // namespace syncsniff::trace
