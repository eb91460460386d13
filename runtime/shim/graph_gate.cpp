#include "runtime/shim/graph_gate.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "runtime/shim/cupti_switch.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

constexpr long kLookAgainNs = 50000;
// A launch that waits for room in the queue keeps its turn meanwhile. It may wait for another thread's graph call, and
// a call may never return; so nobody waits for a turn longer than this, and only once while CUPTI is attached.
constexpr long kLongestTurnNs = 200000000;

std::atomic<bool> g_closed{false};
std::atomic<uint32_t> g_inside{0};  // number of graph calls that are in the driver
std::atomic<GraphUse> g_use{GraphUse::kNone};
std::atomic<bool> g_takes_turns{true};
// Writer preference, so that launches from many threads do not keep an instantiation waiting.
pthread_rwlock_t g_turns = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void nap() noexcept {
  const trace::ErrnoKept errno_kept;
  const timespec time{0, kLookAgainNs};
  nanosleep(&time, nullptr);
}

// In a forked child the gate may be closed, and nobody would open it.
bool is_held() noexcept { return g_closed.load() && trace_file().owned(); }

[[gnu::cold, gnu::noinline]] void wait_outside() noexcept {
  do {
    g_inside.fetch_sub(1);
    while (is_held()) nap();
    g_inside.fetch_add(1);
  } while (is_held());
}

[[gnu::cold, gnu::noinline]] void note_use(GraphUse use) noexcept {
  GraphUse before = g_use.load();
  while (before < use && !g_use.compare_exchange_weak(before, use)) {
  }
  if (before == GraphUse::kNone) first_graph_comes();
}

[[gnu::cold, gnu::noinline]] Turn wait_for_turn(GraphCall call) noexcept {
  const bool alone = call == GraphCall::kMakesExec;
  timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += kLongestTurnNs;
  if (until.tv_nsec >= 1000000000) ++until.tv_sec, until.tv_nsec -= 1000000000;
  const int error = alone ? pthread_rwlock_timedwrlock(&g_turns, &until) : pthread_rwlock_timedrdlock(&g_turns, &until);
  if (error == ETIMEDOUT) g_takes_turns.store(false);
  if (error != 0) return Turn::kNone;
  return alone ? Turn::kAlone : Turn::kBeside;
}

Turn take_turn(GraphCall call) noexcept {
  if (call != GraphCall::kMakesExec && call != GraphCall::kUsesExec) return Turn::kNone;
  if (__builtin_expect(!is_attached(), 1) || !g_takes_turns.load(std::memory_order_relaxed)) return Turn::kNone;
  // A forked child may have inherited turns that never end.
  return trace_file().owned() ? wait_for_turn(call) : Turn::kNone;
}

}  // namespace

GraphUse graph_use() noexcept { return g_use.load(); }

// The gate sets g_closed before it reads g_inside, and a call increments g_inside before it reads g_closed: at least
// one of them sees the other.
bool close_graph_gate(uint64_t at_most_ns) noexcept {
  if (any_capture()) return false;
  const uint64_t begin_ns = trace::monotonic_ns();
  g_closed.store(true);
  while (g_inside.load() != 0 && trace::monotonic_ns() - begin_ns < at_most_ns) nap();
  const bool is_empty = g_inside.load() == 0 && !any_capture();
  if (!is_empty) open_graph_gate();
  if (is_empty) g_takes_turns.store(true);
  return is_empty;
}

void open_graph_gate() noexcept { g_closed.store(false); }

Turn enter_graph_call(GraphCall call, bool uploads) noexcept {
  g_inside.fetch_add(1);
  if (__builtin_expect(g_closed.load(), 0)) wait_outside();
  const GraphUse use = uploads ? GraphUse::kUploaded : GraphUse::kLaunched;
  if (__builtin_expect(g_use.load(std::memory_order_relaxed) < use, 0)) note_use(use);
  return take_turn(call);
}

void leave_graph_call(Turn turn) noexcept {
  if (turn != Turn::kNone) pthread_rwlock_unlock(&g_turns);
  g_inside.fetch_sub(1);
}

}  // namespace syncsniff::shim
