// CLOCK_MONOTONIC from the processor's own counter, where the kernel itself keeps time by it: 10 ns less than the vdso
// and, in a program whose work has taken the caches, far fewer lines to fetch. Set right by the kernel's clock after
// some ms.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace syncsniff::shim {

// Starts the measurement of the counter's rate; without it, or where the kernel keeps time otherwise, now_ns() asks
// the kernel each time.
void start_clock() noexcept;

// A moment, in whatever the kernel keeps time by: cheaper to take than a time, for what hardly ever takes long. Until
// start_clock() it is in another unit.
uint64_t moment() noexcept;
uint64_t ns_since(uint64_t since) noexcept;
// What is shorter than this has surely taken fewer ns, too: no processor's counter is slower than 1 GHz.
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
