// Reads the clock of the trace, and the processor time of the sampler's thread.
#pragma once

#include <time.h>

#include <cstdint>

namespace syncsniff::sampler {

inline uint64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}
inline uint64_t monotonic_ns() { return read_clock(CLOCK_MONOTONIC); }
inline uint64_t thread_cpu_ns() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace syncsniff::sampler
