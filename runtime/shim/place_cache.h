// Where calls come from, one entry for each (hook, native stack, Python frames) of a thread. A training step makes the
// same calls in the same order, so an entry remembers which one came next: that is looked at first, and was prefetched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shim/native_stack.h"
#include "runtime/shim/python_frames.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct alignas(64) CallPlace {
  const void* return_address;
  uintptr_t frame;          // CFA of the hook
  uint64_t python;          // sum over the Python frames
  uint64_t own_words;       // hash of the stack words of the user's own frames: the first `own_frames` of `offset`
  CallPlace* following[2];  // the last one that came next, and the one before it: a loop's body goes round or ends
  uint32_t stack;           // id in the trace; 0: not yet there
  uint32_t reach;           // offset of the outermost frame
  uint16_t key;             // api and slot of the hook
  uint16_t counted_kinds;
  uint8_t frames, own_frames;
  uint8_t confirmed;  // how often all words were the same, up to kConfirmations

  // The last record that calls from here were counted in, and what they had in common.
  trace::SiteCountRecord* counted;
  uint64_t counted_object;
  uint64_t words;  // hash of all stack words
  CallPlace* same_bucket;
  uint32_t offset[kMaxNativeFrames];
};
static_assert(sizeof(CallPlace) == 256 && offsetof(CallPlace, counted) == 64);

// A call whose place is looked for.
struct SoughtPlace {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t python;
  uint64_t object;  // of a launch: its kernel; 0: whatever is known of the place, all its words are looked at
  uint16_t key;
  bool in_whole;  // all its words are to be looked at, because it is this one's turn
};

// All but the stack words.
[[gnu::always_inline]] inline bool is_alike(const CallPlace& place, const SoughtPlace& sought) noexcept {
  // One branch for all that is mostly equal.
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(sought.return_address)) |
      (place.frame ^ sought.frame) | (place.python ^ sought.python) | static_cast<uint64_t>(place.key ^ sought.key);
  return difference == 0 && sought.frame + place.reach <= sought.top;
}

// The user's own frames are the same, those in libraries are not looked at. Of a place that is_alike().
[[gnu::always_inline]] inline bool has_own_words(const CallPlace& place, uintptr_t frame) noexcept {
  return place.own_frames == 0 || hash_of_words(place.offset, place.own_frames, frame) == place.own_words;
}
inline bool has_all_words(const CallPlace& place, uintptr_t frame) noexcept {
  return hash_of_words(place.offset, place.frames, frame) == place.words;
}

class PlaceCache {
 public:
  // The entry of this call if it is one that followed before; else nullptr, and find() is to be asked.
  [[gnu::always_inline]] CallPlace* expected(const SoughtPlace& sought) noexcept {
    if (__builtin_expect(last_ == nullptr, 0)) return nullptr;
    CallPlace* next = last_->following[0];
    if (__builtin_expect(next == nullptr || !is_alike(*next, sought), 0)) return expected_otherwise(sought);
    const bool is_it =
        may_be_trusted(*next, sought) ? has_own_words(*next, sought.frame) : is_confirmed(*next, sought.frame);
    if (__builtin_expect(!is_it, 0)) return expected_otherwise(sought);
    last_ = next;
    prefetch_following();
    return next;
  }

  // The entry of any call; nullptr: there is none yet.
  CallPlace* find(const SoughtPlace& sought) noexcept;
  // A new one. A signal handler that jumps must not come in between.
  CallPlace& add(const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept;

  // Fetches what the next call will be counted in, if it is the one that followed the last time.
  [[gnu::always_inline]] void expect() const noexcept {
    if (last_ != nullptr && last_->following[0] != nullptr) __builtin_prefetch(last_->following[0]->counted, 1);
  }

 private:
  // Places beyond this many (recursion of ever changing depth): the cache starts anew. 1 MiB a thread, touched as used.
  // A library launches from one line at one depth for all lines of the program: those share a bucket, some hundred.
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096, kLongestChain = 256;

  // Half of a hook went into looking at 40 words in as many lines. Most of them only tell by which way through a
  // library a line of the user's came to a kernel. So where a place was confirmed so many times, nothing but it ever
  // came after the one before, and it launches the same kernel, three of four calls look at the user's own frames
  // alone. Should a library have called back another function of the user's, at the same depth, the first few such
  // launches may be taken for this place's; once one is noticed, all that follows the same one before is looked at
  // whole.
  static constexpr unsigned kConfirmations = 16;
  [[gnu::always_inline]] bool may_be_trusted(const CallPlace& next, const SoughtPlace& sought) const noexcept {
    return next.confirmed == kConfirmations && !sought.in_whole && last_->following[1] == nullptr &&
           next.counted_object == sought.object && sought.object != 0;
  }
  [[gnu::noinline]] static bool is_confirmed(CallPlace& place, uintptr_t frame) noexcept;

  static uint32_t bucket_of(const SoughtPlace& sought) noexcept;
  CallPlace& make(uint32_t bucket) noexcept;
  [[gnu::noinline]] CallPlace* expected_otherwise(const SoughtPlace& sought) noexcept;
  void follow(CallPlace* next) noexcept;
  [[gnu::always_inline]] void prefetch_following() const noexcept {
    const char* const bytes = reinterpret_cast<const char*>(last_->following[0]);
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + 64);
  }

  CallPlace* last_;
  unsigned used_;
  CallPlace* buckets_[kBuckets];
  CallPlace places_[kPlaces];
};

}  // namespace syncsniff::shim
