// Where calls come from, one entry for each (hook, native stack, Python frames) of a thread. A training step makes the
// same calls in the same order, so an entry remembers which one came next: that is looked at first, and was prefetched.
#pragma once

#include <cstdint>

#include "runtime/shim/native_stack.h"
#include "runtime/shim/python_frames.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct alignas(64) CallPlace {
  const void* return_address;
  uintptr_t frame;         // CFA of the hook
  uint64_t words, python;  // sums over the stack words and the Python frames
  uint32_t key;            // api and slot of the hook
  uint32_t stack;          // id in the trace; 0: not yet there
  uint32_t frames;
  uint32_t reserved;
  CallPlace *following, *same_bucket;
  // The last record that calls from here were counted in, and what they had in common.
  trace::SiteCountRecord* counted;
  uint64_t counted_object;
  uint32_t counted_kinds;
  uint32_t offset[kMaxNativeFrames];
};

class PlaceCache {
 public:
  // The entry of this call. `fresh` is set when it was made just now: then `native` holds its frames, and the caller
  // gives it a stack id.
  CallPlace& find(const void* return_address, uintptr_t frame, uint32_t key, uintptr_t thread_top, NativeStack& native,
                  bool& fresh) noexcept;

 private:
  // Places beyond this many (recursion of ever changing depth): the cache starts anew. 1 MiB a thread, touched as used.
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096, kLongestChain = 32;

  CallPlace& make(uint32_t bucket) noexcept;

  CallPlace* last_;
  unsigned used_;
  CallPlace* buckets_[kBuckets];
  CallPlace places_[kPlaces];
};

}  // namespace syncsniff::shim
