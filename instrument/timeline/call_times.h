// What calls and the device take if nothing delays them. Times are ns.
#pragma once

#include <cstdint>

namespace syncsniff::timeline {

inline constexpr uint64_t kClockSlackNs = 5000;      // error of CUPTI's clock against CLOCK_MONOTONIC, after the fit
inline constexpr uint64_t kLaunchLatencyNs = 20000;  // enqueue to start on an idle device; 3-10 us measured, doubled
inline constexpr double kWaitLatencyNs = 3000;       // from the device's end to the wait's return
inline constexpr double kAsyncCallNs =
    4000;  // enqueueing a copy from pinned memory: 3-5 us measured on an H200 machine

// The replay of unchanged steps must reproduce the recorded time within this share; otherwise it predicts nothing.
inline constexpr double kGoodFit = 0.1;

}  // namespace syncsniff::timeline
