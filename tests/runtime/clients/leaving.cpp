#include "tests/runtime/clients/leaving.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/runtime/clients/session.h"

namespace client {
namespace {

sigjmp_buf g_back;
volatile sig_atomic_t g_may_leave = 0;
const Session* g_session = nullptr;
CUstream g_other = nullptr;
int g_waits = 0, g_launches = 0, g_left = 0, g_changed = 0;

void leave_wait(int) {
  if (g_may_leave) siglongjmp(g_back, 1);
}
void call_within(int) { g_session->launch(g_other); }

// `handler` on SIGALRM after 3 ms: far within a wait of these tests, whose kernels take longer.
void set_alarm() {
  const itimerval once{{0, 0}, {0, 3000}};
  setitimer(ITIMER_REAL, &once, nullptr);
}
void handle_alarm(void (*handler)(int), bool on_signal_stack) {
  static char room[1 << 16];
  if (on_signal_stack) {
    stack_t stack{};
    stack.ss_sp = room;
    stack.ss_size = sizeof(room);
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = on_signal_stack ? SA_ONSTACK : 0;
  sigaction(SIGALRM, &action, nullptr);
}

void launch(const Session& s) {
  errno = 77;
  s.launch(s.stream);
  g_changed += errno != 77;
  ++g_launches;
}
void wait(const Session& s) {
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  ++g_waits;
}

// As deep in the stack as is asked for.
[[gnu::noinline]] int deep(const Session& s, int depth, void (*call)(const Session&)) {
  if (depth == 0) return call(s), 1;
  volatile int below = deep(s, depth - 1, call);
  return below + 1;
}

// The program's own work: it writes over what the stack below held.
[[gnu::noinline]] void work_of_its_own() {
  volatile char room[8192];
  for (volatile char& byte : room) byte = 1;
}

void leave_one(const Session& s) {
  if (sigsetjmp(g_back, 1) == 0) {
    g_may_leave = 1;
    set_alarm();
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
    ++g_waits;
  } else {
    ++g_left;
  }
  g_may_leave = 0;
}

void leave_many(const Session& s) {
  for (const int depth : {0, 3, 8})
    for (const int next : {0, 3, 5, 12}) {
      launch(s);
      deep(s, depth, leave_one);
      work_of_its_own();
      deep(s, next, launch);
      deep(s, next, wait);
      launch(s);
      wait(s);
    }
}

void leave_waits(const Driver& driver, bool on_signal_stack) {
  Session s(driver);
  handle_alarm(leave_wait, on_signal_stack);
  leave_many(s);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
  std::thread([&] {
    handle_alarm(leave_wait, on_signal_stack);
    pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
    leave_many(s);
  }).join();
  std::printf("waits %d\nlaunches %d\nleft %d\nerrno_changed %d\n", g_waits, g_launches, g_left, g_changed);
}

void call_within_waits(const Driver& driver, bool on_signal_stack) {
  Session s(driver);
  g_session = &s;
  CHECK_CU(s.cu.cuStreamCreate(&g_other, kStreamNonBlocking));
  handle_alarm(call_within, on_signal_stack);
  for (int i = 0; i < 5; ++i) {
    launch(s);
    set_alarm();
    wait(s);
    usleep(1000);
  }
  CHECK_CU(s.cu.cuStreamSynchronize(g_other));
  ++g_waits;
  for (int i = 0; i < 2; ++i) {
    usleep(1000);
    launch(s);
    wait(s);
  }
  std::printf("waits %d\nlaunches %d\n", g_waits, g_launches);
}

void* wait_for_ever(void* session) {
  const auto& s = *static_cast<const Session*>(session);
  s.launch(s.stream);
  s.cu.cuStreamSynchronize(s.stream);
  return nullptr;
}

}  // namespace

void left_waits(const Driver& driver) { leave_waits(driver, false); }
void left_waits_on_signal_stack(const Driver& driver) { leave_waits(driver, true); }
void calls_within_waits(const Driver& driver) { call_within_waits(driver, false); }
void calls_within_waits_on_signal_stack(const Driver& driver) { call_within_waits(driver, true); }

// A blocking copy ends the idle time after a wait, and is left; another thread launches later.
void left_copy(const Driver& driver) {
  Session s(driver);
  CUdeviceptr device = 0;
  CHECK_CU(s.cu.cuMemAlloc_v2(&device, 4096));
  handle_alarm(leave_wait, false);
  launch(s);
  const auto before = std::chrono::steady_clock::now();
  wait(s);
  usleep(1000);
  const auto copied = std::chrono::steady_clock::now();
  if (sigsetjmp(g_back, 1) == 0) {
    char host[64];
    g_may_leave = 1;
    set_alarm();
    CHECK_CU(s.cu.cuMemcpyDtoH_v2(host, device, sizeof(host)));
  } else {
    ++g_left;
  }
  g_may_leave = 0;
  std::thread([&] { launch(s); }).join();
  launch(s);
  CHECK_CU(s.cu.cuCtxSynchronize());
  usleep(5000);
  launch(s);
  wait(s);
  std::printf("left %d\nidle_below_ms %.3f\n", g_left,
              std::chrono::duration<double, std::milli>(copied - before).count());
}

void cancelled_wait(const Driver& driver) {
  Session s(driver);
  int cancelled = 0;
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, wait_for_ever, &s);
    usleep(3000);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    cancelled += result == PTHREAD_CANCELED;
  }
  std::thread([&] {
    s.launch(s.stream);
    wait(s);
    usleep(2000);
    s.launch(s.stream);
  }).join();
  std::printf("cancelled %d\n", cancelled);
}

}  // namespace client
