// The GPU's side: CUPTI, loaded with dlopen, never linked, in windows that cost the program a share of its time, or
// throughout. The user's own profiler wins: once it is seen, we stop and let go.
#pragma once

#include "runtime/trace/format.h"

namespace syncsniff::shim {

using Timeline = trace::TimelineMode;

Timeline timeline_wanted() noexcept;  // SYNCSNIFF_TIMELINE=windows|full; windows cost SYNCSNIFF_BUDGET percent at most
void start_timeline() noexcept;       // after cuInit, outside every hook
void stop_timeline() noexcept;        // at exit
bool is_timeline_running() noexcept;

// Before the real call of the first that has to do with graphs (graph_gate.h).
void first_graph_comes() noexcept;

// Somebody else wants CUPTI.
void yield_timeline() noexcept;

}  // namespace syncsniff::shim
