// CLOCK_MONOTONIC computed from the processor's counter, if the kernel itself uses that counter: 10 ns less than the
// vdso and, in a program whose work has evicted the caches, far fewer cache lines. Corrected by the kernel's clock
// every few ms.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace syncsniff::shim {

// Starts to measure the counter's rate. Without it, or if the kernel uses another clock source, now_ns() calls the
// kernel each time.
void start_clock() noexcept;

// A moment, in units of the kernel's clock source: cheaper than a time, for calls that hardly ever take long. The unit
// differs before start_clock().
uint64_t moment() noexcept;
uint64_t ns_since(uint64_t since) noexcept;
// True if less than `ns` have passed since `since`, judging by ticks: no processor's counter is slower than 1 GHz, so
// fewer ticks also mean fewer ns.
inline bool is_shorter(uint64_t since, uint64_t ns) noexcept { return moment() - since < ns; }

class ThreadClock {  // zero-filled memory is a valid one
 public:
  [[gnu::always_inline]] uint64_t now_ns() noexcept {
#if defined(__x86_64__)
    const uint64_t ticks = __rdtsc() - ticks_;
    if (__builtin_expect(ticks < span_, 1)) return ns_ + (ticks * rate_ >> 32);
#endif
    return set_right();
  }

 private:
  [[gnu::cold, gnu::noinline]] uint64_t set_right() noexcept;

  uint64_t ticks_, span_, ns_;
  uint64_t rate_;  // ns a tick, times 2^32
};

}  // namespace syncsniff::shim
