// The process's trace: opens and closes it, and gives out ids that are unique in it (stacks, strings, code objects,
// modules). Interning takes a mutex; it happens when something is seen for the first time, not on the hot path.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/shim/native_stack.h"
#include "runtime/shim/python_frames.h"
#include "runtime/trace/trace_file.h"

namespace syncsniff::shim {

struct ThreadState;

// Read by every hook, and what hooks read is in one cache line. It is on pages of its own, which the kernel wipes for a
// child (of fork, or of a raw clone(), which runs no fork handlers): so in a child nothing is on, and there is no file
// to write to.
inline constexpr size_t kPageBytes = 4096;
struct alignas(kPageBytes) Recording {
  std::atomic<bool> on;                // between open and close of the trace in this process
  std::atomic<bool> every_call;        // launches and copies are listed one by one, since a window is open
  bool python;                         // the process has an interpreter that can be read
  std::atomic<uint32_t> ranges_turn;   // odd while a writer changes the memory ranges (memory_ranges.cpp)
  std::atomic<uint64_t> idle_devices;  // bit i: device i may have an open idle interval (streams.cpp)
  trace::TraceFile file;
};
extern Recording g_recording;

inline trace::TraceFile& trace_file() noexcept { return g_recording.file; }
inline bool lists_every_call() noexcept { return g_recording.every_call.load(std::memory_order_relaxed); }
inline bool recording() noexcept { return g_recording.on.load(std::memory_order_relaxed); }
inline bool may_be_idle(uint32_t device) noexcept {
  return (g_recording.idle_devices.load(std::memory_order_acquire) >> device & 1) != 0;
}
inline void set_recording(bool on) noexcept { g_recording.on.store(on, std::memory_order_release); }

// Opens the trace that SYNCSNIFF_TRACE names; later calls do nothing.
void open_trace() noexcept;

// Id of a stack, which consists of native frames and the interpreter's frames above them. Sets native.in_libraries.
uint32_t intern_stack(ThreadState& thread, NativeStack& native, const PythonWalk& python) noexcept;
uint32_t intern_string(ThreadState& thread, const char* text, size_t bytes) noexcept;

// The trace's id of a wrapped function; its name is written when the id is first used.
uint16_t api_id(ThreadState& thread, unsigned api) noexcept;

void describe_thread(ThreadState& thread) noexcept;
void write_note(ThreadState& thread, const char* text) noexcept;

}  // namespace syncsniff::shim
