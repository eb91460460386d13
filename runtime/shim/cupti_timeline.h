// The GPU's side, on request: CUPTI activity records of kernels, copies and sets, loaded with dlopen, never linked.
// The user's own profiler wins: once it is seen, we stop and let go.
#pragma once

namespace syncsniff::shim {

bool timeline_wanted() noexcept;  // SYNCSNIFF_TIMELINE=full
void start_timeline() noexcept;   // after cuInit, outside every hook
void stop_timeline() noexcept;    // at exit

// Somebody else wants CUPTI.
void yield_timeline() noexcept;

}  // namespace syncsniff::shim
