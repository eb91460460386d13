// What one thread of the watched process has: its end of the trace, its caches, its open burst and poll.
// Lives in memory of its own (never malloc), is reused after the thread has ended.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shim/api_info.h"
#include "runtime/shim/nvtx_stack.h"
#include "runtime/shim/place_cache.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_clock.h"
#include "runtime/trace/board.h"
#include "runtime/trace/chunk_writer.h"

namespace syncsniff::shim {

// A spin on a query, folded: the record lies in the trace from the second ask on and is updated in place.
struct OpenPoll {
  uint32_t api = 0, stack = 0;
  uint64_t object = 0, begin_ns = 0, last_ns = 0;
  trace::CallRecord* record = nullptr;
};

// A program's own work between two launches takes the caches, so what a hook costs is what it has to fetch: the two
// lines that every launch needs come first, and the first threads get a huge page for it where the kernel gives one.
struct alignas(64) ThreadState {
  ThreadClock clock;
  uint64_t last_stream_tag;  // handle and kind of entry point that last_stream was found by
  StreamState* last_stream;
  Enqueuer* enqueuer;
  trace::BurstRecord* burst;  // open burst, updated in place

  uintptr_t stack_top;  // end of this thread's stack; 0: not known
  uint32_t asks;        // of the open poll; 0: none is open
  int device;           // current device; -1: ask
  uint32_t tid;
  uint16_t untimed, until_timed;  // launches since the last one that was timed, and before the next one
  CallPlace* last_untimed;
  PlaceCache places;
  bool passed_work;  // pass_work() has counted some that nobody reports
  uint32_t told_by;  // stack of the last call that a step may be known by

  PlaceStorage place_storage;
  OpenPoll poll;
  trace::ChunkWriter writer;
  uint64_t told_ns;        // when the call of `told_by` ended
  uint64_t told_again_ns;  // the last time that something told which has told again since
  // Of the calls whose place is not asked for, or for whose place `sites` has no room.
  trace::SiteCountRecord* of_function[kApiCount];
  SiteTable sites;
  NvtxStack ranges;         // of the default domain, in which programs name their steps
  NvtxStack domain_ranges;  // of all others, most of them libraries': they neither nest in the first nor hide them
  uintptr_t gemm_frame;     // of the recorded matrix product that this thread is inside; 0: none
  uintptr_t stack_low;      // the other end: what lies below is no part of this thread's stack
  ThreadState* next_free;
  trace::BoardThread* on_board;  // its entry in the table that the launcher reads; nullptr: that is full

  void tell_step(CallPlace& place, uint64_t now_ns) noexcept {
    if (place.told_ns > told_again_ns) told_again_ns = place.told_ns;
    told_by = place.stack;
    told_ns = place.told_ns = now_ns;
  }
  // The stream that work was put on last, if it is this one.
  StreamState* last_stream_if(uint64_t tag) const noexcept { return last_stream_tag == tag ? last_stream : nullptr; }
};
static_assert(offsetof(ThreadState, stack_top) == 64 && offsetof(ThreadState, place_storage) == 128);

struct alignas(32) ThreadSlot {  // in one line
  ThreadState* state;
  uintptr_t frame;             // CFA of the hook that is inside; 0: none is
  const void* return_address;  // of that hook: the word below its CFA, as long as it has not returned
};
// A preloaded library has room in the static TLS block: initial-exec costs one instruction and never allocates.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local ThreadSlot t_slot;

// enter() of a thread that has no state yet.
[[gnu::cold, gnu::noinline]] ThreadState* enter_first() noexcept;

// The thread is inside a hook by its slot. True: that hook is gone, by a jump or an unwinding out of the real call, and
// what it left open is closed.
[[gnu::cold, gnu::noinline]] bool outer_hook_is_gone(uintptr_t frame) noexcept;
// The hook that this thread is inside will not return: what it has open ends here, what may be half written goes.
void close_left_hook(ThreadState& thread) noexcept;

// A hook of a signal handler's may come in between and leave an address of its own: so that is stored again.
[[gnu::always_inline]] inline void mark_inside(const void* return_address, uintptr_t frame) noexcept {
  t_slot.return_address = return_address;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t_slot.frame = frame;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t_slot.return_address = return_address;
}

// The calling thread's state, marked as inside the hook that has this CFA; nullptr when it is inside another one, or
// nothing is being recorded. Whoever got one calls leave().
[[gnu::always_inline]] inline ThreadState* enter(const void* return_address, uintptr_t frame) noexcept {
  if (!recording() || !trace_file().writable()) return nullptr;
  if (__builtin_expect(t_slot.frame != 0, 0) && !outer_hook_is_gone(frame)) return nullptr;
  mark_inside(return_address, frame);
  ThreadState* const state = t_slot.state;
  if (__builtin_expect(state == nullptr, 0)) return enter_first();
  if (__builtin_expect(state->passed_work, 0)) settle_passed(*state);
  return state;
}
// For the functions of ours that are no wrappers.
[[gnu::always_inline]] inline ThreadState* enter() noexcept {
  return enter(__builtin_return_address(0), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16);
}
[[gnu::always_inline]] inline void leave() noexcept { t_slot.frame = 0; }

}  // namespace syncsniff::shim
