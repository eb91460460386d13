// What one thread of the watched process has: its end of the trace, its caches, its open burst and poll.
// Lives in memory of its own (never malloc), is reused after the thread has ended.
#pragma once

#include <cstdint>

#include "runtime/shim/nvtx_stack.h"
#include "runtime/shim/place_cache.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_clock.h"
#include "runtime/trace/chunk_writer.h"

namespace syncsniff::shim {

struct StreamState;

// A spin on a query, folded: the record lies in the trace from the second ask on and is updated in place.
struct OpenPoll {
  uint32_t api = 0, asks = 0, stack = 0;
  uint64_t object = 0, begin_ns = 0, last_ns = 0;
  trace::CallRecord* record = nullptr;
};

struct ThreadState {
  trace::ChunkWriter writer;
  ThreadClock clock;
  uint32_t tid;
  uintptr_t stack_top;  // end of this thread's stack; 0: not known
  int device;           // current device; -1: ask
  uint64_t last_stream_key;
  StreamState* last_stream;
  trace::BurstRecord* burst;  // open burst, updated in place
  OpenPoll poll;
  NvtxStack ranges;
  SiteTable sites;
  PlaceCache places;
  ThreadState* next_free;
};

// The calling thread's state, marked busy; nullptr when it is inside a hook already, or nothing is being recorded.
// Whoever got one calls leave().
ThreadState* enter() noexcept;
void leave() noexcept;

// True between open and close of the trace in this process.
bool recording() noexcept;
void set_recording(bool on) noexcept;

}  // namespace syncsniff::shim
