#include "runtime/shim/place_cache.h"

#include <cstring>

#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

void fill(CallPlace& place, const SoughtPlace& sought, NativeStack& native) noexcept {
  unwind(native, sought.return_address, sought.frame, sought.top);
  place.return_address = sought.return_address;
  place.frame = sought.frame;
  place.key = sought.key;
  place.python = sought.python;
  place.frames = native.frames;
  place.stack = 0;
  place.counted = nullptr;
  std::memcpy(place.offset, native.offset, native.frames * sizeof(native.offset[0]));
  fill_up(place.offset, place.frames);
  place.words = hash_of_words(place.offset, place.frames, sought.frame);
}

}  // namespace

uint32_t PlaceCache::bucket_of(const SoughtPlace& sought) noexcept {
  const uint64_t hash =
      mix(mix(mix(sought.key, reinterpret_cast<uint64_t>(sought.return_address)), sought.frame), sought.python);
  return static_cast<uint32_t>(hash >> 32) % kBuckets;
}

CallPlace& PlaceCache::make(uint32_t bucket) noexcept {
  if (used_ == kPlaces) {
    used_ = 0;
    last_ = nullptr;
    for (CallPlace*& bucket : buckets_) bucket = nullptr;
  }
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

CallPlace* PlaceCache::find(const SoughtPlace& sought) noexcept {
  CallPlace* found = buckets_[bucket_of(sought)];
  for (unsigned length = 0; found != nullptr && !is_same(*found, sought); found = found->same_bucket)
    if (++length == kLongestChain) return nullptr;
  if (found != nullptr) follow(found);
  return found;
}

CallPlace& PlaceCache::add(const SoughtPlace& sought, NativeStack& native) noexcept {
  const uint32_t bucket = bucket_of(sought);
  CallPlace* oldest = buckets_[bucket];
  unsigned length = oldest != nullptr ? 1 : 0;
  for (; length != 0 && length < kLongestChain && oldest->same_bucket != nullptr; ++length)
    oldest = oldest->same_bucket;
  CallPlace& place = length == kLongestChain ? *oldest : make(bucket);
  fill(place, sought, native);
  follow(&place);
  return place;
}

}  // namespace syncsniff::shim
