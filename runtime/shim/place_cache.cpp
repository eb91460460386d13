#include "runtime/shim/place_cache.h"

#include <cstring>

#include "runtime/shim/site_table.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {
namespace {

void fill(CallPlace& place, const SoughtPlace& sought, NativeStack& native) noexcept {
  const trace::ErrnoKept errno_kept;
  const trace::SignalsHeld signals_held;  // the unwinder may take the loader's lock
  unwind(native, sought.return_address, sought.frame, sought.top);
  place.return_address = sought.return_address;
  place.frame = sought.frame;
  place.key = sought.key;
  place.python = sought.python;
  place.frames = native.frames;
  place.stack = 0;
  place.counted = nullptr;
  std::memcpy(place.offset, native.offset, native.frames * sizeof(native.offset[0]));
  place.words = hash_of_words(native.offset, native.frames, sought.frame);
}

}  // namespace

void PlaceCache::forget() noexcept {
  used_ = 0;
  last_ = nullptr;
  for (CallPlace*& bucket : buckets_) bucket = nullptr;
}

CallPlace& PlaceCache::make(uint32_t bucket) noexcept {
  if (used_ == kPlaces) forget();
  CallPlace& place = places_[used_++];
  place.following[0] = place.following[1] = nullptr;
  place.same_bucket = buckets_[bucket];
  return *(buckets_[bucket] = &place);
}

void PlaceCache::follow(CallPlace* next) noexcept {
  if (last_ != nullptr) {
    last_->following[1] = last_->following[0];
    last_->following[0] = next;
  }
  last_ = next;
  prefetch_following();
}

CallPlace* PlaceCache::expected_otherwise(const SoughtPlace& sought) noexcept {
  CallPlace* const next = last_->following[1];
  if (next == nullptr || !is_same(*next, sought)) return nullptr;
  follow(next);
  return next;
}

CallPlace& PlaceCache::find(const SoughtPlace& sought, NativeStack& native, bool& fresh) noexcept {
  fresh = false;
  const uint64_t hash =
      mix(mix(mix(sought.key, reinterpret_cast<uint64_t>(sought.return_address)), sought.frame), sought.python);
  const auto bucket = static_cast<uint32_t>(hash >> 32) % kBuckets;
  CallPlace *found = buckets_[bucket], *oldest = nullptr;
  unsigned length = 0;
  for (; found != nullptr && !is_same(*found, sought); found = found->same_bucket) {
    oldest = found;
    if (++length == kLongestChain) break;
  }
  if (found == nullptr || length == kLongestChain) {
    found = found != nullptr ? oldest : &make(bucket);
    fresh = true;
    fill(*found, sought, native);
  }
  follow(found);
  return *found;
}

}  // namespace syncsniff::shim
