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
// A thread's time does not go back by the error of the rate, at most this much; a larger step is one of the clock
// itself.
constexpr uint64_t kLargestHoldNs = 1000;

std::atomic<uint64_t> g_base_ticks{0}, g_base_ns{0};

#if defined(__x86_64__)
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
  g_base_ns.store(trace::monotonic_ns());
  g_base_ticks.store(__rdtsc(), std::memory_order_release);
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
  uint64_t now = trace::monotonic_ns();
#if defined(__x86_64__)
  const uint64_t ticks = __rdtsc(), base = g_base_ticks.load(std::memory_order_acquire);
  const uint64_t passed = now - g_base_ns.load(std::memory_order_relaxed);
  if (base == 0 || ticks <= base || passed < kShortestBaseNs) return now;
  if (rate_ != 0) {
    const uint64_t counted = ns_ + static_cast<uint64_t>(static_cast<unsigned __int128>(ticks - ticks_) * rate_ >> 32);
    if (counted > now && counted - now < kLargestHoldNs) now = counted;
  }
  rate_ = static_cast<uint64_t>((static_cast<unsigned __int128>(passed) << 32) / (ticks - base));
  ticks_ = ticks;
  ns_ = now;
  span_ = rate_ != 0 ? (kSpanNs << 32) / rate_ : 0;
#endif
  return now;
}

}  // namespace syncsniff::shim
