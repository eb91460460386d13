#include "instrument/timeline/gpu_clock.h"

#include <algorithm>

namespace syncsniff::timeline {

GpuClock::GpuClock(std::vector<trace::ClockPairRecord> pairs) : pairs_(std::move(pairs)) {}

uint64_t GpuClock::monotonic(uint64_t cupti_ns) const {
  if (pairs_.empty()) return cupti_ns;
  if (pairs_.size() == 1) return cupti_ns - pairs_[0].cupti_ns + pairs_[0].monotonic_ns;
  auto right = std::upper_bound(pairs_.begin(), pairs_.end(), cupti_ns,
                                [](uint64_t time, const auto& pair) { return time < pair.cupti_ns; });
  if (right == pairs_.begin()) ++right;
  if (right == pairs_.end()) --right;
  const auto& a = *std::prev(right);
  const auto& b = *right;
  const auto span = static_cast<__int128>(b.cupti_ns) - a.cupti_ns;
  if (span <= 0) return cupti_ns - a.cupti_ns + a.monotonic_ns;
  const __int128 rise = static_cast<__int128>(b.monotonic_ns) - static_cast<__int128>(a.monotonic_ns);
  const __int128 offset = (static_cast<__int128>(cupti_ns) - static_cast<__int128>(a.cupti_ns)) * rise / span;
  return static_cast<uint64_t>(static_cast<__int128>(a.monotonic_ns) + offset);
}

}  // namespace syncsniff::timeline
