// The places that a thread's calls come from, one entry for each (hook, native stack, Python frames, kernel). A
// training step makes the same calls in the same order, so each entry remembers which entries followed it: these are
// compared first, and are prefetched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shim/native_stack.h"
#include "runtime/shim/python_frames.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct alignas(64) CallPlace {
  // First cache line: what a launch is compared with, and where it is counted.
  const void* return_address;
  uintptr_t frame;  // CFA of the hook
  // The last two places that followed: at the end of a loop's body either the next iteration or the code after it
  // follows.
  CallPlace* following[2];
  // Record in which the last call from here was counted; the next two members are what calls in that record have in
  // common.
  trace::SiteCountRecord* counted;
  uint64_t counted_object;
  uint32_t stack;  // id in the trace; 0: not yet there
  uint32_t reach;  // offset of the outermost frame
  uint16_t key;    // api and slot of the hook
  uint16_t counted_kinds;
  uint8_t frames, own_frames;
  uint8_t confirmed;      // how often all words were unchanged, up to kConfirmations
  bool is_fork : 1;       // a following call was taken for another place's, or would have been
  bool ends_burst : 1;    // a wait followed a call from here, so the next ones are timed: their end is the burst's end
  uint8_t surprises : 3;  // how often `last_mark_stack` has changed, up to kMostSurprises (launch.cpp)

  // Second cache line, with the words of the user's own frames, whose offsets are the first `own_frames` of `offset`.
  uint64_t innermost_python;  // number of the innermost Python frame when all frames were last read; 0: not known
  uint32_t took_ns;           // duration of the last timed call from here
  uint32_t last_mark_stack;   // stack of the latest step mark when a call came from here; 0: none yet
  uint64_t own_word[kHashRows];
  uint32_t offset[kMaxNativeFrames];

  uint64_t own_words, words;  // own_words: hash of the user's own words; words: of all
  uint64_t python;            // sum over the Python frames
  uint64_t kernel;            // 0: the call launches none
  CallPlace* same_bucket;
  uint64_t last_mark_ns;  // when a call from here last marked a step
};
static_assert(sizeof(CallPlace) == 320 && offsetof(CallPlace, innermost_python) == 64 &&
              offsetof(CallPlace, offset) + kHashRows * sizeof(uint32_t) == 128);

// The properties of a call whose place is searched for.
struct SoughtPlace {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t python, kernel;
  uint16_t key;
};

// True if everything but the stack words is equal.
[[gnu::always_inline]] inline bool is_alike(const CallPlace& place, const SoughtPlace& sought) noexcept {
  // A single branch, since everything is mostly equal.
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(sought.return_address)) |
      (place.frame ^ sought.frame) | (place.python ^ sought.python) | (place.kernel ^ sought.kernel) |
      static_cast<uint64_t>(place.key ^ sought.key);
  return difference == 0 && sought.frame + place.reach <= sought.top;
}

inline bool has_all_words(const CallPlace& place, uintptr_t frame) noexcept {
  return hash_of_words(place.offset, place.frames, frame) == place.words;
}

// Comparing 40 words in as many cache lines, and the Python frames, took half of a hook's time. Most of the words only
// show by which path through a library a line of the user came to a kernel. So a place may be recognised by less once
// all its words were unchanged kConfirmations times and no similar place has followed the same predecessor: then all
// but one of about thirty launches of the same kernel (copies of the same kind, queries) compare only the user's own
// frames, and of Python's frames only the innermost.
// If a library calls back another function of the user at the same depth, or a function is called from another line,
// the first few such launches may be counted at the wrong place; once one is noticed, everything that follows that
// predecessor is compared whole. On a fiber's stack everything is compared, since another stack may be mapped at its
// address.
inline constexpr unsigned kConfirmations = 16;

// True if the call comes from the place that expect() or likely_next() returned, provided that has_own_words() is true,
// too. `object`, `kinds`: by which such calls are counted.
[[gnu::always_inline]] inline bool is_trusted(const CallPlace& place, const void* return_address, uintptr_t frame,
                                              uint16_t key, uint64_t object, uint16_t kinds) noexcept {
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(return_address)) |
      (place.frame ^ frame) | (place.counted_object ^ object) |
      static_cast<uint64_t>((place.key ^ key) | (place.counted_kinds ^ kinds));
  return difference == 0 && place.counted != nullptr;
}

// True if the user's own frames are unchanged. Mostly there are at most four, which are compared without a hash.
[[gnu::always_inline]] inline bool has_first_own_words(const CallPlace& place, uintptr_t frame) noexcept {
  uint64_t difference = 0;
  for (unsigned i = 0; i < kHashRows; ++i) difference |= word_at(frame, place.offset[i]) ^ place.own_word[i];
  return difference == 0;
}
[[gnu::always_inline]] inline bool has_own_words(const CallPlace& place, uintptr_t frame) noexcept {
  return hash_of_words(place.offset, place.own_frames, frame) == place.own_words;
}

// The cache is emptied if there are more places than this (recursion of varying depth, thousands of kernels); from then
// on, launches of different kernels from one stack are one place. 1.3 MiB of address space a thread, of which only used
// pages take memory.
struct PlaceStorage {
  static constexpr unsigned kPlaces = 4096, kBuckets = 4096;
  unsigned used;
  bool crowded;  // it has been emptied before
  CallPlace* buckets[kBuckets];
  CallPlace places[kPlaces];
};

class PlaceCache {
 public:
  void start(PlaceStorage* storage) noexcept { storage_ = storage; }

  // The entry that the next launch or copy may be taken for if is_trusted(); nullptr: there is none.
  [[gnu::always_inline]] CallPlace* likely_next(uint64_t innermost_python) const noexcept {
    if (__builtin_expect(last_ == nullptr || last_->is_fork, 0)) return nullptr;
    for (CallPlace* const next : last_->following)
      if (is_likely(next, innermost_python)) return next;
    return nullptr;
  }
  // The other place that followed, if a call expected from `place` may be from there; otherwise nullptr.
  CallPlace* other_next(const CallPlace* place, uint64_t innermost_python) const noexcept {
    CallPlace* const other = last_->following[last_->following[0] == place ? 1 : 0];
    return is_likely(other, innermost_python) ? other : nullptr;
  }
  // To be called when the call was from `next`, a place that followed before.
  [[gnu::always_inline]] void go_on(CallPlace* next) noexcept {
    if (__builtin_expect(next != expected_, 0) && last_->following[0] != next) {
      last_->following[1] = last_->following[0];
      last_->following[0] = next;
    }
    set_last(next);
  }
  CallPlace* last() const noexcept { return last_; }
  // For the launcher, which reads the process's memory from outside.
  static constexpr uint32_t offset_of_last() noexcept { return offsetof(PlaceCache, last_); }
  bool is_crowded() const noexcept { return storage_->crowded; }
  // From now on, calls that follow `place` are compared whole.
  void mark_fork(CallPlace& place) noexcept {
    place.is_fork = true;
    if (&place == last_) expected_ = nullptr;
  }

  // The entry of this call if it is one that followed before; otherwise nullptr, and find() must be called.
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
  // Adds an entry. Signals must be blocked, since a handler that jumps would leave it incomplete.
  CallPlace& add(const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept;

  // The place that followed last time, if the next call may be taken for it in a program without Python. Prefetches the
  // record in which its calls are counted.
  [[gnu::always_inline]] CallPlace* expect() const noexcept {
    if (__builtin_expect(expected_ == nullptr, 0)) return nullptr;
    __builtin_prefetch(expected_->counted, 1);
    __builtin_prefetch(&expected_->innermost_python);
    return __builtin_expect(expected_->confirmed == kConfirmations, 1) ? expected_ : nullptr;
  }

 private:
  // A library launches from one line at one depth for all lines of the program: several hundred such places share a
  // bucket.
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
  CallPlace* expected_;  // place that followed last_ the last time; nullptr: none, or last_ is a fork
  PlaceStorage* storage_;
};

}  // namespace syncsniff::shim
