#include "runtime/shim/graph_gate.h"

#include <time.h>

#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/streams.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

constexpr long kLookAgainNs = 50000;

std::atomic<bool> g_closed{false};
std::atomic<uint32_t> g_inside{0};  // graph calls that are in the driver
std::atomic<GraphUse> g_use{GraphUse::kNone};

void nap() noexcept {
  const trace::ErrnoKept errno_kept;
  const timespec time{0, kLookAgainNs};
  nanosleep(&time, nullptr);
}

// A forked child has the gate as it was, and nobody who opens it.
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

}  // namespace

GraphUse graph_use() noexcept { return g_use.load(); }

// Both sides announce themselves before they look: one of them sees the other.
bool close_graph_gate(uint64_t at_most_ns) noexcept {
  if (any_capture()) return false;
  const uint64_t begin_ns = trace::monotonic_ns();
  g_closed.store(true);
  while (g_inside.load() != 0 && trace::monotonic_ns() - begin_ns < at_most_ns) nap();
  const bool is_empty = g_inside.load() == 0 && !any_capture();
  if (!is_empty) open_graph_gate();
  return is_empty;
}

void open_graph_gate() noexcept { g_closed.store(false); }

void enter_graph_call(bool uploads) noexcept {
  g_inside.fetch_add(1);
  if (__builtin_expect(g_closed.load(), 0)) wait_outside();
  const GraphUse use = uploads ? GraphUse::kUploaded : GraphUse::kLaunched;
  if (__builtin_expect(g_use.load(std::memory_order_relaxed) < use, 0)) note_use(use);
}

void leave_graph_call() noexcept { g_inside.fetch_sub(1); }

}  // namespace syncsniff::shim
