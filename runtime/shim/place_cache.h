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
  uintptr_t frame;          // CFA of the hook
  uint64_t words, python;   // sums over the stack words and the Python frames
  uint32_t key;             // api and slot of the hook
  uint32_t stack;           // id in the trace; 0: not yet there
  CallPlace* following[2];  // the last one that came next, and the one before it: a loop's body goes round or ends
  // The last record that calls from here were counted in, and what they had in common.
  trace::SiteCountRecord* counted;

  uint64_t counted_object;
  uint32_t counted_kinds;
  uint32_t frames;
  uint32_t offset[kMaxNativeFrames];
  CallPlace* same_bucket;
};
static_assert(sizeof(CallPlace) == 256);

// A call whose place is looked for.
struct SoughtPlace {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t python;
  uint32_t key;
};

[[gnu::always_inline]] inline bool is_same(const CallPlace& place, const SoughtPlace& sought) noexcept {
  return place.return_address == sought.return_address && place.frame == sought.frame && place.key == sought.key &&
         place.python == sought.python && place.frames != 0 &&
         sought.frame + place.offset[place.frames - 1] <= sought.top &&
         hash_of_words(place.offset, place.frames, sought.frame) == place.words;
}

class PlaceCache {
 public:
  // The entry of this call if it is one that followed before; else nullptr, and find() is to be asked.
  [[gnu::always_inline]] CallPlace* expected(const SoughtPlace& sought) noexcept {
    if (__builtin_expect(last_ == nullptr, 0)) return nullptr;
    CallPlace* next = last_->following[0];
    if (__builtin_expect(next == nullptr || !is_same(*next, sought), 0)) return expected_otherwise(sought);
    last_ = next;
    prefetch_following();
    return next;
  }

  // The entry of any call; nullptr: there is none yet.
  CallPlace* find(const SoughtPlace& sought) noexcept;
  // A new one: `native` holds its frames, and the caller gives it a stack id. A signal handler that jumps must not come
  // in between.
  CallPlace& add(const SoughtPlace& sought, NativeStack& native) noexcept;

  // Fetches what the next call will be counted in, if it is the one that followed the last time.
  [[gnu::always_inline]] void expect() const noexcept {
    if (last_ != nullptr && last_->following[0] != nullptr) __builtin_prefetch(last_->following[0]->counted, 1);
  }

 private:
  // Places beyond this many (recursion of ever changing depth): the cache starts anew. 1 MiB a thread, touched as used.
  // A library launches from one line at one depth for all lines of the program: those share a bucket, some hundred.
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096, kLongestChain = 256;

  static uint32_t bucket_of(const SoughtPlace& sought) noexcept;
  CallPlace& make(uint32_t bucket) noexcept;
  [[gnu::noinline]] CallPlace* expected_otherwise(const SoughtPlace& sought) noexcept;
  void follow(CallPlace* next) noexcept;
  [[gnu::always_inline]] void prefetch_following() const noexcept {
    const char* const bytes = reinterpret_cast<const char*>(last_->following[0]);
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + 64);
    __builtin_prefetch(bytes + 128);
  }

  CallPlace* last_;
  unsigned used_;
  CallPlace* buckets_[kBuckets];
  CallPlace places_[kPlaces];
};

}  // namespace syncsniff::shim
