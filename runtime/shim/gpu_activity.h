// Requests CUPTI's activity records of kernels, copies and memsets and writes them to the trace. CUPTI returns its
// buffers on threads of its own (activity_buffers.h); our thread writes what is in them.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct ThreadState;

// Both return nullptr, or the reason why there will be no GPU timeline, as a note for the report. load_activity() must
// be called first, once.
const char* load_activity() noexcept;
const char* attach_activity() noexcept;
// Requests records of kernels and, with `transfers`, of copies and memsets. Returns false if CUPTI refuses all.
bool enable_activity(bool transfers) noexcept;
void disable_activity() noexcept;
void disable_transfers() noexcept;
// `forced`: return buffers even if their work has not ended.
void flush_activity(bool forced) noexcept;
// True if this CUPTI can be detached from a running process and attached again.
bool can_detach_activity() noexcept;
// The same for a program that launches graphs: true from CUDA 13.0, where it was measured; not assumed of older
// versions.
bool can_detach_from_graphs() noexcept;
// Detaches CUPTI from the process, which waits for the device; the next attach_activity() attaches it again. CUPTI's
// buffers must have been flushed and written (any other CUPTI call would attach it again), and no graph may be launched
// between the end of recording and the end of this call.
void detach_activity() noexcept;
struct ActivityCount {
  uint64_t records = 0;
  // Number of calls that the records are of (a graph launch has many records); may be too low, not too high.
  uint64_t calls = 0;
};
// Writes the records that have come back so far, as `thread`; nullptr: throws them away.
ActivityCount write_activity(ThreadState* thread) noexcept;
// Of the kernels whose records were written: the latest begin, on CLOCK_MONOTONIC, and the longest duration.
struct ActivityProgress {
  uint64_t latest_begin_ns, longest_ns;
};
ActivityProgress activity_progress() noexcept;
// Writes a record with both clocks, read together.
void write_clock_pair(ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
