#include "runtime/shim/thread_clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "runtime/trace/own_descriptors.h"
#include "runtime/trace/trace_file.h"

namespace syncsniff::shim {
namespace {

// After so long the kernel's clock is read again. The kernel adjusts its rate by some 10 ppm now and then: an error of
// some 40 ns, which is acceptable in a wait of 2 us.
constexpr uint64_t kSpanNs = 4'000'000;
// Measured over less than this, the rate is off by more than a few ns per span.
constexpr uint64_t kShortestBaseNs = 10'000'000;
// A thread's time does not go back by the error of the rate, at most this much: it runs slower until it is right. A
// larger step is one of the clock itself.
constexpr uint64_t kLargestHoldNs = 1000;

std::atomic<uint64_t> g_base_ticks{0}, g_base_ns{0};

#if defined(__x86_64__)
// Both clocks at one moment, if nothing interrupted the reading. An interrupt between them would make the one seem late
// for as long as the process runs.
struct Reading {
  uint64_t ns, ticks;
};
Reading read_both() noexcept {
  constexpr uint64_t kUninterruptedTicks = 500;
  constexpr int kMostTries = 8;  // the first ones may find the kernel's page or the caches cold
  Reading best{};
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < kMostTries && shortest > kUninterruptedTicks; ++i) {
    const uint64_t before = __rdtsc(), ns = trace::monotonic_ns(), took = __rdtsc() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {ns, before + took / 2};
  }
  return best;
}

// Must be called in a task with its own descriptor table.
void read_clock_source(void* uses_counter) noexcept {
  const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char name[8] = {};
  const ssize_t bytes = read(file, name, sizeof(name) - 1);
  close(file);
  *static_cast<bool*>(uses_counter) =
      bytes >= 3 && std::strncmp(name, "tsc", 3) == 0 && (name[3] == '\n' || name[3] == '\0');
}

bool kernel_uses_counter() noexcept {
  bool uses_counter = false;
  trace::with_own_descriptors(read_clock_source, &uses_counter);
  return uses_counter;
}
#endif

}  // namespace

void start_clock() noexcept {
#if defined(__x86_64__)
  if (!kernel_uses_counter()) return;
  const Reading base = read_both();
  g_base_ns.store(base.ns);
  g_base_ticks.store(base.ticks, std::memory_order_release);
#endif
}

uint64_t moment() noexcept {
#if defined(__x86_64__)
  if (__builtin_expect(g_base_ticks.load(std::memory_order_relaxed) != 0, 1)) return __rdtsc();
#endif
  return trace::monotonic_ns();
}

uint64_t ns_since(uint64_t since) noexcept {
  const uint64_t now = trace::monotonic_ns();
#if defined(__x86_64__)
  if (const uint64_t base = g_base_ticks.load(std::memory_order_acquire)) {
    const uint64_t ticks = __rdtsc(), passed = now - g_base_ns.load(std::memory_order_relaxed);
    return ticks <= base
               ? 0
               : static_cast<uint64_t>(static_cast<unsigned __int128>(ticks - since) * passed / (ticks - base));
  }
#endif
  return now - since;
}

uint64_t ThreadClock::set_right() noexcept {
#if defined(__x86_64__)
  const uint64_t base = g_base_ticks.load(std::memory_order_acquire);
  if (base == 0) return trace::monotonic_ns();
  const auto [now, ticks] = read_both();
  const uint64_t passed = now - g_base_ns.load(std::memory_order_relaxed);
  if (ticks <= base || passed < kShortestBaseNs) return trace::monotonic_ns();
  uint64_t ahead = 0;
  if (rate_ != 0) {
    const uint64_t counted = ns_ + static_cast<uint64_t>(static_cast<unsigned __int128>(ticks - ticks_) * rate_ >> 32);
    if (counted > now && counted - now < kLargestHoldNs) ahead = counted - now;
  }
  rate_ = static_cast<uint64_t>((static_cast<unsigned __int128>(passed) << 32) / (ticks - base));
  rate_ -= rate_ * ahead / kSpanNs;
  ticks_ = ticks;
  ns_ = now + ahead;
  span_ = rate_ != 0 ? (kSpanNs << 32) / rate_ : 0;
  return ns_ + ((__rdtsc() - ticks_) * rate_ >> 32);
#else
  return trace::monotonic_ns();
#endif
}

}  // namespace syncsniff::shim
