// Records the GPU's work with CUPTI, which is loaded with dlopen, never linked: in windows that cost the program a
// limited share of its time, or throughout. The user's own profiler has priority: once it is seen, recording stops and
// CUPTI is given up.
#pragma once

#include "runtime/trace/format.h"

namespace syncsniff::shim {

using Timeline = trace::TimelineMode;

Timeline timeline_wanted() noexcept;  // SYNCSNIFF_TIMELINE=windows|full; windows cost SYNCSNIFF_BUDGET percent at most
void start_timeline() noexcept;       // after cuInit, outside every hook
void stop_timeline() noexcept;        // at exit
bool is_timeline_running() noexcept;

// To be called before the real call of the first function that involves graphs (graph_gate.h).
void first_graph_comes() noexcept;

// To be called when another tool wants CUPTI.
void yield_timeline() noexcept;

}  // namespace syncsniff::shim
