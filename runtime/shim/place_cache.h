// Finds the place that a call comes from: hook, native stack, Python frames, and what is launched or copied. Unwinding
// takes some 30 us, so each thread remembers its places and recognises them by the words on its stack. A training step
// makes the same calls in the same order, so each place remembers which places followed it: these are compared first,
// and are prefetched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shim/call_site.h"
#include "runtime/shim/native_stack.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct ThreadState;

struct alignas(64) CallPlace {
  // First cache line: what a call is compared with first, and where it is counted.
  const void* return_address;
  uintptr_t frame;  // CFA of the hook
  uint64_t what;    // the kernel that is launched, or the kinds of memory of a copy; 0 for other calls
  // The last two places that followed: at the end of a loop's body either the next iteration or the code after it
  // follows.
  CallPlace* following[2];
  trace::SiteCountRecord* counted;  // in which the last call from here was counted
  uint32_t stack;                   // id in the trace
  uint32_t reach;                   // offset of the outermost frame
  uint16_t key;                     // api and slot of the hook
  uint8_t frames, own_frames;
  uint8_t confirmed;  // how often all words were unchanged, up to kConfirmations
  bool is_fork;       // a following call would have been taken for another place's

  // Second cache line, with the words of the user's own frames, whose offsets are the first `own_frames` of `offset`.
  uint64_t innermost_python;  // number of the innermost Python frame when all frames were last read; 0: not known
  uint64_t own_words;         // hash of the user's own words
  uint64_t counted_object;    // with counted_kinds: what the calls counted in `counted` have in common
  uint16_t counted_kinds;
  uint32_t offset[kMaxNativeFrames];

  uint64_t words;   // hash of all words
  uint64_t python;  // sum over the Python frames
  CallPlace* same_bucket;
};
static_assert(offsetof(CallPlace, innermost_python) == 64 && offsetof(CallPlace, offset) + 32 <= 128);

// The cache is emptied if there are more places than this (recursion of varying depth, thousands of kernels); from then
// on, launches of different kernels from one stack are one place. 1.3 MiB of address space a thread, of which only used
// pages take memory.
struct PlaceStorage {
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096;
  unsigned used;
  CallPlace* buckets[kBuckets];
  CallPlace places[kPlaces];
};

// The properties of a call whose place is searched for.
struct SoughtPlace {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t what;    // as in CallPlace
  uint64_t python;  // sum over the Python frames
  uint16_t key;
};

class PlaceCache {
 public:
  void start(PlaceStorage* storage) noexcept { storage_ = storage; }

  // The place of the thread's call through the hook at `site`; `what` as in CallPlace. Compares the whole stack.
  CallPlace& find_whole(ThreadState& thread, const CallSite& site, uint64_t what) noexcept;
  // The same, but mostly compares less (place_cache.cpp). For launches and other calls that a step makes by the
  // hundred. `begin_ns`: the call's; its last digits decide which calls are compared whole.
  CallPlace& find_mostly(ThreadState& thread, const CallSite& site, uint64_t what, uint64_t begin_ns) noexcept;

  // For the launcher, which reads the process's memory from outside.
  static constexpr uint32_t offset_of_last() noexcept { return offsetof(PlaceCache, last_); }

 private:
  SoughtPlace sought(const ThreadState& thread, const CallSite& site, uint64_t what) const noexcept;
  CallPlace* likely_next(const SoughtPlace& call, uint64_t innermost_python) const noexcept;
  CallPlace& find(ThreadState& thread, SoughtPlace& call) noexcept;
  CallPlace* among_following(const SoughtPlace& call) const noexcept;
  CallPlace* in_bucket(const SoughtPlace& call) const noexcept;
  CallPlace& add(ThreadState& thread, const SoughtPlace& call) noexcept;
  CallPlace& make(unsigned bucket) noexcept;
  CallPlace& follow(CallPlace& next) noexcept;

  CallPlace* last_;
  PlaceStorage* storage_;
  bool is_crowded_;  // the storage has been emptied before
};

}  // namespace syncsniff::shim
