#include "runtime/shim/place_cache.h"

#include "runtime/shim/board.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/python_frames.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {
namespace {

// Comparing 40 words in as many cache lines, and the Python frames, took half of a hook's time. Most of the words only
// show by which path through a library a line of the user came to a kernel. So a place may be recognised by less once
// all its words were unchanged kConfirmations times and no similar place has followed the same predecessor: then all
// but one in kInWhole launches (copies, queries) compare only the user's own frames, and of Python's only the
// innermost.
// If a library calls back another function of the user at the same depth, or a function is called from another line,
// the first few such launches may be counted at the wrong place; once one is noticed, everything that follows that
// predecessor is compared whole. On a fiber's stack everything is compared, since another stack may be mapped at its
// address.
constexpr unsigned kConfirmations = 16;
constexpr uint64_t kInWhole = 32;
// The clock's last digits decide, so that no rhythm of the program can avoid being compared whole for long. In windows
// each call is listed, so there each is compared whole.
bool is_looked_at_whole(uint64_t begin_ns) noexcept { return (begin_ns & (kInWhole - 1)) == 0 || lists_every_call(); }

// A library launches from one line at one depth for all lines of the program: several hundred such places share a
// bucket.
constexpr unsigned kLongestChain = 256;

// True if everything but the stack's words and Python's frames is equal, and the place's words can be read.
[[gnu::always_inline]] inline bool is_alike(const CallPlace& place, const SoughtPlace& sought) noexcept {
  // A single branch, since everything is mostly equal.
  const uint64_t difference =
      (reinterpret_cast<uint64_t>(place.return_address) ^ reinterpret_cast<uint64_t>(sought.return_address)) |
      (place.frame ^ sought.frame) | (place.what ^ sought.what) | static_cast<uint64_t>(place.key ^ sought.key);
  return difference == 0 && sought.frame + place.reach <= sought.top;
}

[[gnu::always_inline]] inline bool is_same(const CallPlace& place, const SoughtPlace& sought) noexcept {
  return is_alike(place, sought) && place.python == sought.python &&
         hash_of_words(place.offset, place.frames, sought.frame) == place.words;
}

void fill(CallPlace& place, const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept {
  CallPlace* const same_bucket = place.same_bucket;
  place = CallPlace{};
  place.same_bucket = same_bucket;
  place.return_address = sought.return_address;
  place.frame = sought.frame;
  place.what = sought.what;
  place.python = sought.python;
  place.key = sought.key;
  place.stack = stack;
  place.frames = static_cast<uint8_t>(native.frames);
  place.reach = native.offset[native.frames - 1];
  unsigned filled = 0;
  for (unsigned i = 0; i < native.frames; ++i)
    if ((native.in_libraries >> i & 1) == 0) place.offset[filled++] = native.offset[i];
  // Words of libraries fill up the last row.
  const unsigned own = (filled + kHashRows - 1) / kHashRows * kHashRows;
  for (unsigned i = 0; i < native.frames; ++i)
    if ((native.in_libraries >> i & 1) != 0) place.offset[filled++] = native.offset[i];
  fill_up(place.offset, native.frames);
  place.own_frames = static_cast<uint8_t>(own);
  place.own_words = hash_of_words(place.offset, place.own_frames, sought.frame);
  place.words = hash_of_words(place.offset, place.frames, sought.frame);
}

unsigned bucket_of(const SoughtPlace& sought) noexcept {
  uint64_t hash = mix(mix(sought.key, reinterpret_cast<uint64_t>(sought.return_address)), sought.frame);
  hash = mix(mix(hash, sought.python), sought.what);
  return static_cast<unsigned>(hash >> 32) % PlaceStorage::kBuckets;
}

}  // namespace

[[gnu::always_inline]] inline SoughtPlace PlaceCache::sought(const ThreadState& thread, const CallSite& site,
                                                             uint64_t what) const noexcept {
  return {site.return_address,
          site.frame,
          readable_top(site.frame, thread.stack_top),
          __builtin_expect(is_crowded_, 0) ? 0 : what,
          0,
          static_cast<uint16_t>(site.key)};
}

SYNCSNIFF_IN_HOOK CallPlace& PlaceCache::find_mostly(ThreadState& thread, const CallSite& site, uint64_t what,
                                                     uint64_t begin_ns) noexcept {
  SoughtPlace call = sought(thread, site, what);
  const uint64_t innermost = g_recording.python ? innermost_python() : 0;
  CallPlace* const before = last_;
  CallPlace* const likely = likely_next(call, innermost);
  if (likely != nullptr && likely->confirmed == kConfirmations && !is_looked_at_whole(begin_ns)) return follow(*likely);
  CallPlace& place = find(thread, call);
  if (likely != nullptr && likely != &place) before->is_fork = true;
  place.innermost_python = innermost;
  return place;
}

SYNCSNIFF_IN_HOOK CallPlace& PlaceCache::find_whole(ThreadState& thread, const CallSite& site, uint64_t what) noexcept {
  SoughtPlace call = sought(thread, site, what);
  return find(thread, call);
}

// The place that followed the last one before and that the call seems to be from, as far as it is compared; nullptr:
// none of them, or the last place is a fork.
[[gnu::always_inline]] inline CallPlace* PlaceCache::likely_next(const SoughtPlace& call,
                                                                 uint64_t innermost_python) const noexcept {
  if (last_ == nullptr || last_->is_fork) return nullptr;
  for (CallPlace* const next : last_->following)
    if (next != nullptr && is_alike(*next, call) && next->innermost_python == innermost_python &&
        hash_of_words(next->offset, next->own_frames, call.frame) == next->own_words)
      return next;
  return nullptr;
}

[[gnu::noinline]] SYNCSNIFF_IN_HOOK CallPlace& PlaceCache::find(ThreadState& thread, SoughtPlace& call) noexcept {
  call.python = __builtin_expect(g_recording.python, 0) ? sum_of_python() : 0;
  if (CallPlace* const next = among_following(call)) {
    const bool on_fiber = call.top == call.frame + kFiberBytes;
    if (next->confirmed < kConfirmations && !on_fiber) ++next->confirmed;
    return follow(*next);
  }
  CallPlace* const known = in_bucket(call);
  return follow(known != nullptr ? *known : add(thread, call));
}

CallPlace* PlaceCache::among_following(const SoughtPlace& call) const noexcept {
  if (last_ == nullptr) return nullptr;
  for (CallPlace* const next : last_->following)
    if (next != nullptr && is_same(*next, call)) return next;
  return nullptr;
}

CallPlace* PlaceCache::in_bucket(const SoughtPlace& call) const noexcept {
  CallPlace* place = storage_->buckets[bucket_of(call)];
  for (unsigned length = 0; place != nullptr && length < kLongestChain; ++length, place = place->same_bucket)
    if (is_same(*place, call)) return place;
  return nullptr;
}

// Signals are blocked, since a handler that jumps would leave the entry incomplete, or the loader's lock taken.
[[gnu::cold, gnu::noinline]] CallPlace& PlaceCache::add(ThreadState& thread, const SoughtPlace& call) noexcept {
  const trace::ErrnoKept errno_kept;
  const trace::SignalsHeld signals_held;
  NativeStack native;
  unwind(native, call.return_address, call.frame, call.top);
  PythonWalk walk;
  if (g_recording.python) {
    walk_python(walk);
    update_python_thread(thread);
  }
  const uint32_t stack = intern_stack(thread, native, walk);
  const unsigned bucket = bucket_of(call);
  CallPlace* oldest = storage_->buckets[bucket];
  unsigned length = oldest != nullptr ? 1 : 0;
  for (; length != 0 && length < kLongestChain && oldest->same_bucket != nullptr; ++length)
    oldest = oldest->same_bucket;
  CallPlace& place = length == kLongestChain ? *oldest : make(bucket);
  fill(place, call, native, stack);
  return place;
}

CallPlace& PlaceCache::make(unsigned bucket) noexcept {
  if (storage_->used == PlaceStorage::kPlaces) {
    storage_->used = 0;
    is_crowded_ = true;
    last_ = nullptr;
    for (CallPlace*& first : storage_->buckets) first = nullptr;
  }
  CallPlace& place = storage_->places[storage_->used++];
  place.same_bucket = storage_->buckets[bucket];
  return *(storage_->buckets[bucket] = &place);
}

[[gnu::always_inline]] inline CallPlace& PlaceCache::follow(CallPlace& next) noexcept {
  if (last_ != nullptr && last_->following[0] != &next) {
    last_->following[1] = last_->following[0];
    last_->following[0] = &next;
  }
  last_ = &next;
  const char* const bytes = reinterpret_cast<const char*>(next.following[0]);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + 64);
  return next;
}

}  // namespace syncsniff::shim
