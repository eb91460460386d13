// The shim's data for one thread of the watched process: its writer, its caches, its open burst and poll. It is in
// memory of its own (never malloc) and is reused after the thread has ended.
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

// A spin on a query, merged into one record, which is written at the second query and then updated in place.
struct OpenPoll {
  uint32_t api = 0, stack = 0;
  uint64_t object = 0, begin_ns = 0, last_ns = 0;
  trace::CallRecord* record = nullptr;
};

// The program's own work between two launches evicts the caches, so a hook costs what it has to fetch: the two cache
// lines that every launch needs come first, and the first threads get a huge page for this struct if the kernel gives
// one.
struct alignas(64) ThreadState {
  ThreadClock clock;
  uint64_t last_stream_tag;  // key of last_stream: handle and kind of entry point
  StreamState* last_stream;
  Enqueuer* enqueuer;
  trace::BurstRecord* burst;  // open burst, updated in place

  uintptr_t stack_top;  // end of this thread's stack; 0: not known
  uint32_t asks;        // queries of the open poll; 0: none is open
  int device;           // current device; -1: the driver must be queried
  uint32_t tid;
  PlaceCache places;
  bool has_nested_work;  // count_nested_work() has counted work that is not yet marked as finished

  PlaceStorage place_storage;
  OpenPoll poll;
  trace::ChunkWriter writer;
  // For calls whose place is not looked up, or for whose place `sites` has no room.
  trace::SiteCountRecord* of_function[kApiCount];
  SiteTable sites;
  NvtxStack ranges;  // of the default domain, in which programs name their steps
  // Of all other domains, mostly of libraries: they neither nest in the default one nor hide its ranges.
  NvtxStack domain_ranges;
  uintptr_t gemm_frame;  // frame of the recorded matrix product that this thread is in; 0: none
  uintptr_t stack_low;   // other end of the stack: memory below is not part of it
  ThreadState* next_free;
  trace::BoardThread* on_board;  // its entry in the table that the launcher reads; nullptr: the table is full

  // The stream that work was last enqueued on, if it has this tag; otherwise nullptr.
  StreamState* last_stream_if(uint64_t tag) const noexcept { return last_stream_tag == tag ? last_stream : nullptr; }
};
static_assert(offsetof(ThreadState, stack_top) == 64 && offsetof(ThreadState, place_storage) == 128);

struct alignas(32) ThreadSlot {  // in one cache line
  ThreadState* state;
  uintptr_t frame;             // CFA of the hook that the thread is in; 0: none
  const void* return_address;  // return address of that hook: the word below its CFA until it returns
};
// A preloaded library has room in the static TLS block: initial-exec costs one instruction and never allocates.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local ThreadSlot t_slot;

// The rest of enter() for a thread that has no state yet, or nested work that is not yet marked as finished. Not marked
// as cold: gcc 12 would then take everything after an inlined enter() for cold, too.
[[gnu::noinline]] ThreadState* enter_unusual() noexcept;

// Called if the slot says that the thread is in a hook. True if that hook was left by a jump or an unwinding out of the
// real call; then what it left open has been closed.
[[gnu::cold, gnu::noinline]] bool outer_hook_is_gone(uintptr_t frame) noexcept;
// Ends what a hook that will not return has left open, and discards what may be half written.
void close_left_hook(ThreadState& thread) noexcept;

// A hook in a signal handler may run in between and store an address of its own, so the address is stored again.
[[gnu::always_inline]] inline void mark_inside(const void* return_address, uintptr_t frame) noexcept {
  t_slot.return_address = return_address;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t_slot.frame = frame;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t_slot.return_address = return_address;
}

// Returns the calling thread's state, marked as inside the hook with this CFA; nullptr if the thread is in another
// hook, or nothing is being recorded. If it is not nullptr, leave() must follow.
[[gnu::always_inline]] inline ThreadState* enter(const void* return_address, uintptr_t frame) noexcept {
  if (!recording() || !trace_file().writable()) return nullptr;
  if (__builtin_expect(t_slot.frame != 0, 0) && !outer_hook_is_gone(frame)) return nullptr;
  mark_inside(return_address, frame);
  ThreadState* const state = t_slot.state;
  if (__builtin_expect(state == nullptr || state->has_nested_work, 0)) return enter_unusual();
  return state;
}
// For functions of the shim that are no wrappers.
[[gnu::always_inline]] inline ThreadState* enter() noexcept {
  return enter(__builtin_return_address(0), reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16);
}
[[gnu::always_inline]] inline void leave() noexcept { t_slot.frame = 0; }

}  // namespace syncsniff::shim
