// Where calls come from, one entry for each (hook, native stack, Python frames, kernel) of a thread. A training step
// makes the same calls in the same order, so an entry remembers which one came next: that is looked at first, and was
// prefetched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shim/native_stack.h"
#include "runtime/shim/python_frames.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct alignas(64) CallPlace {
  // One line: what a launch is compared with, and where it is counted.
  const void* return_address;
  uintptr_t frame;          // CFA of the hook
  CallPlace* following[2];  // the last one that came next, and the one before it: a loop's body goes round or ends
  trace::SiteCountRecord* counted;  // the last record that calls from here were counted in, and what they had in common
  uint64_t counted_object;
  uint32_t stack;  // id in the trace; 0: not yet there
  uint32_t reach;  // offset of the outermost frame
  uint16_t key;    // api and slot of the hook
  uint16_t counted_kinds;
  uint8_t frames, own_frames;
  uint8_t confirmed;      // how often all words were the same, up to kConfirmations
  bool is_fork : 1;       // what came next was taken for another place, or would have been
  bool ends_burst : 1;    // a wait came after it: when it ended is of interest
  uint8_t surprises : 3;  // how often `told_by` was another one than before, up to kMostSurprises (launch.cpp)

  // The next: the words of the user's own frames, which are the first `own_frames` of `offset`.
  uint64_t innermost_python;  // number of the innermost Python frame when all of them were last looked at; 0: not known
  uint32_t took_ns;           // the last call from here that was timed
  uint32_t told_by;           // stack of what the step was known by when it came here; 0: nothing yet
  uint64_t own_word[kHashRows];
  uint32_t offset[kMaxNativeFrames];

  uint64_t own_words, words;  // hash of the user's own words, of all
  uint64_t python;            // sum over the Python frames
  uint64_t kernel;            // 0: the call launches none
  CallPlace* same_bucket;
  uint64_t told_ns;  // when a step was last known by a call from here
};
static_assert(sizeof(CallPlace) == 320 && offsetof(CallPlace, innermost_python) == 64 &&
              offsetof(CallPlace, offset) + kHashRows * sizeof(uint32_t) == 128);

// A call whose place is looked for.
struct SoughtPlace {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t python, kernel;
  uint16_t key;
};

// All but the stack words.
[[gnu::always_inline]] inline bool is_alike(const CallPlace& place, const SoughtPlace& sought) noexcept {
  // One branch for all that is mostly equal.
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(sought.return_address)) |
      (place.frame ^ sought.frame) | (place.python ^ sought.python) | (place.kernel ^ sought.kernel) |
      static_cast<uint64_t>(place.key ^ sought.key);
  return difference == 0 && sought.frame + place.reach <= sought.top;
}

inline bool has_all_words(const CallPlace& place, uintptr_t frame) noexcept {
  return hash_of_words(place.offset, place.frames, frame) == place.words;
}

// Half of a hook went into looking at 40 words in as many lines, and into the Python frames. Most of them only tell by
// which way through a library a line of the user's came to a kernel. So where a place was confirmed so many times, and
// nothing that looks like it ever came after the one before, all but one of some thirty launches of the same kernel
// (copies of the same kind, asks) look at the user's own frames alone, and of Python's at the innermost one.
// Should a library have called back another function of the user's, at the same depth, or a function have been called
// from another line, the first few such launches may be taken for this place's; once one is noticed, all that follows
// the same one before is looked at whole. Of a fiber's stack all is looked at: another one may be mapped where it was.
inline constexpr unsigned kConfirmations = 16;

// Is the call, for which expect() or likely_next() gave the place, from there, if has_own_words() says so too?
// `object`, `kinds`: what such calls are counted by.
[[gnu::always_inline]] inline bool is_trusted(const CallPlace& place, const void* return_address, uintptr_t frame,
                                              uint16_t key, uint64_t object, uint16_t kinds) noexcept {
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(return_address)) |
      (place.frame ^ frame) | (place.counted_object ^ object) |
      static_cast<uint64_t>((place.key ^ key) | (place.counted_kinds ^ kinds));
  return difference == 0 && place.counted != nullptr;
}

// Do the user's own frames hold what they held? Mostly there are four at most, and no hash is made of those.
[[gnu::always_inline]] inline bool has_first_own_words(const CallPlace& place, uintptr_t frame) noexcept {
  uint64_t difference = 0;
  for (unsigned i = 0; i < kHashRows; ++i) difference |= word_at(frame, place.offset[i]) ^ place.own_word[i];
  return difference == 0;
}
[[gnu::always_inline]] inline bool has_own_words(const CallPlace& place, uintptr_t frame) noexcept {
  return hash_of_words(place.offset, place.own_frames, frame) == place.own_words;
}

// With more places than this (recursion of ever changing depth, thousands of kernels) the cache is emptied, and from
// then on launches of different kernels from one stack are one place. 1.3 MiB of address space a thread, of which the
// pages in use take memory.
struct PlaceStorage {
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096;
  unsigned used;
  bool crowded;  // it has started anew
  CallPlace* buckets[kBuckets];
  CallPlace places[kPlaces];
};

class PlaceCache {
 public:
  void start(PlaceStorage* storage) noexcept { storage_ = storage; }

  // The entry that the next launch or copy may be taken for, if is_trusted(); nullptr: there is none.
  [[gnu::always_inline]] CallPlace* likely_next(uint64_t innermost_python) const noexcept {
    if (__builtin_expect(last_ == nullptr || last_->is_fork, 0)) return nullptr;
    for (CallPlace* const next : last_->following)
      if (is_likely(next, innermost_python)) return next;
    return nullptr;
  }
  // What followed besides, if a call may be taken for it that was expected from `place`.
  CallPlace* other_next(const CallPlace* place, uint64_t innermost_python) const noexcept {
    CallPlace* const other = last_->following[last_->following[0] == place ? 1 : 0];
    return is_likely(other, innermost_python) ? other : nullptr;
  }
  // The call was from a place that followed before.
  [[gnu::always_inline]] void go_on(CallPlace* next) noexcept {
    if (__builtin_expect(next != expected_, 0) && last_->following[0] != next) {
      last_->following[1] = last_->following[0];
      last_->following[0] = next;
    }
    set_last(next);
  }
  CallPlace* last() const noexcept { return last_; }
  // For who reads it from outside the process.
  static constexpr uint32_t offset_of_last() noexcept { return offsetof(PlaceCache, last_); }
  bool is_crowded() const noexcept { return storage_->crowded; }
  // From now on, what comes after `place` is looked at whole.
  void mark_fork(CallPlace& place) noexcept {
    place.is_fork = true;
    if (&place == last_) expected_ = nullptr;
  }

  // The entry of this call if it is one that followed before; else nullptr, and find() is to be asked.
  [[gnu::always_inline]] CallPlace* expected(const SoughtPlace& sought) noexcept {
    if (__builtin_expect(last_ == nullptr, 0)) return nullptr;
    CallPlace* const next = last_->following[0];
    if (__builtin_expect(next == nullptr || !is_alike(*next, sought) || !is_confirmed(*next, sought), 0))
      return expected_otherwise(sought);
    go_on(next);
    return next;
  }

  // The entry of any call; nullptr: there is none yet.
  CallPlace* find(const SoughtPlace& sought) noexcept;
  // A new one. A signal handler that jumps must not come in between.
  CallPlace& add(const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept;

  // What came next the last time, if that may be taken for the next call in a program without Python; what that is
  // counted in is fetched.
  [[gnu::always_inline]] CallPlace* expect() const noexcept {
    if (__builtin_expect(expected_ == nullptr, 0)) return nullptr;
    __builtin_prefetch(expected_->counted, 1);
    __builtin_prefetch(&expected_->innermost_python);
    return __builtin_expect(expected_->confirmed == kConfirmations, 1) ? expected_ : nullptr;
  }

 private:
  // A library launches from one line at one depth for all lines of the program: those share a bucket, some hundred.
  static constexpr unsigned kLongestChain = 256;

  static bool is_likely(const CallPlace* next, uint64_t innermost_python) noexcept {
    return next != nullptr && next->confirmed == kConfirmations && next->innermost_python == innermost_python;
  }
  [[gnu::noinline]] static bool is_confirmed(CallPlace& place, const SoughtPlace& sought) noexcept;

  static uint32_t bucket_of(const SoughtPlace& sought) noexcept;
  CallPlace& make(uint32_t bucket) noexcept;
  [[gnu::noinline]] CallPlace* expected_otherwise(const SoughtPlace& sought) noexcept;
  void follow(CallPlace* next) noexcept;
  [[gnu::always_inline]] void set_last(CallPlace* place) noexcept {
    last_ = place;
    expected_ = place->is_fork ? nullptr : place->following[0];
    const char* const bytes = reinterpret_cast<const char*>(place->following[0]);
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + 64);
  }

  CallPlace* last_;
  CallPlace* expected_;  // what came after it the last time; nullptr: nothing, or it is a fork
  PlaceStorage* storage_;
};

}  // namespace syncsniff::shim
