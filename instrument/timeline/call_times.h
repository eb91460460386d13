// What calls and the device take where nothing holds them up. Times are ns.
#pragma once

#include <cstdint>

namespace syncsniff::timeline {

inline constexpr uint64_t kClockSlackNs = 5000;      // CUPTI's clock against ours, after the fit
inline constexpr uint64_t kLaunchLatencyNs = 20000;  // enqueue to start on an empty device; 3-10 us measured, doubled
inline constexpr double kWaitLatencyNs = 3000;       // from the device's end to the wait's return
inline constexpr double kAsyncCallNs =
    4000;  // enqueueing a copy from pinned memory: 3-5 us measured on an H200 machine

// A replay of unchanged steps that differs from the recording by more than this share predicts nothing.
inline constexpr double kGoodFit = 0.1;

}  // namespace syncsniff::timeline
