// CUPTI's activity records of kernels, copies and sets: asked for, collected in buffers, written into the trace.
// CUPTI calls back from threads of its own; what it hands over is only queued there, and written by our thread.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct ThreadState;

// Both: nullptr, or why there will be no GPU timeline, as a note for the report. Loading comes first, once is enough.
const char* load_activity() noexcept;
const char* attach_activity() noexcept;
// False: CUPTI refuses all of it.
bool enable_activity() noexcept;
void disable_activity() noexcept;
// `forced`: buffers come back even where the work that they are for has not ended.
void flush_activity(bool forced) noexcept;
// Whether this CUPTI can leave a running process and come back.
bool can_detach_activity() noexcept;
// The same where the program launches graphs: measured with CUDA 13.0, not believed of older versions.
bool can_detach_from_graphs() noexcept;
// CUPTI leaves the process; the next attach_activity() brings it back. It waits for the device. Its buffers must have
// been flushed and written (any other call brings CUPTI back), and no graph may be launched from the end of recording
// on until it has left.
void detach_activity() noexcept;
struct ActivityCount {
  uint64_t records = 0;
  uint64_t calls = 0;  // that they are of: a launch of a graph has many records. Rather too few than too many
};
// What has come back so far, written by `thread` (nullptr: thrown away).
ActivityCount write_activity(ThreadState* thread) noexcept;
// Of the kernels whose records were written: the latest begin, on CLOCK_MONOTONIC, and the longest duration.
struct ActivityProgress {
  uint64_t latest_begin_ns, longest_ns;
};
ActivityProgress activity_progress() noexcept;
// Both clocks, read together.
void write_clock_pair(ThreadState& thread) noexcept;

// Sleeps until a buffer has come back, wake_activity() is called, or so much time has passed.
void wait_for_activity(uint64_t ns) noexcept;
void wake_activity() noexcept;

}  // namespace syncsniff::shim
