#include "runtime/shim/place_cache.h"

#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

void fill(CallPlace& place, const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept {
  place.return_address = sought.return_address;
  place.frame = sought.frame;
  place.key = sought.key;
  place.python = sought.python;
  place.kernel = sought.kernel;
  place.stack = stack;
  place.counted = nullptr;
  place.innermost_python = 0;
  place.is_fork = place.ends_burst = false;
  place.surprises = 0;
  place.last_mark_stack = 0;
  place.last_mark_ns = 0;
  place.confirmed = 0;
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
  for (unsigned i = 0; i < kHashRows; ++i) place.own_word[i] = word_at(sought.frame, place.offset[i]);
  place.words = hash_of_words(place.offset, place.frames, sought.frame);
}

bool is_same(const CallPlace& place, const SoughtPlace& sought) noexcept {
  return is_alike(place, sought) && has_all_words(place, sought.frame);
}

}  // namespace

uint32_t PlaceCache::bucket_of(const SoughtPlace& sought) noexcept {
  uint64_t hash = mix(mix(sought.key, reinterpret_cast<uint64_t>(sought.return_address)), sought.frame);
  hash = mix(mix(hash, sought.python), sought.kernel);
  return static_cast<uint32_t>(hash >> 32) % PlaceStorage::kBuckets;
}

CallPlace& PlaceCache::make(uint32_t bucket) noexcept {
  if (storage_->used == PlaceStorage::kPlaces) {
    storage_->used = 0;
    storage_->crowded = true;
    last_ = expected_ = nullptr;
    for (CallPlace*& first : storage_->buckets) first = nullptr;
  }
  CallPlace& place = storage_->places[storage_->used++];
  place.following[0] = place.following[1] = nullptr;
  place.same_bucket = storage_->buckets[bucket];
  return *(storage_->buckets[bucket] = &place);
}

void PlaceCache::follow(CallPlace* next) noexcept {
  if (last_ != nullptr) {
    last_->following[1] = last_->following[0];
    last_->following[0] = next;
  }
  set_last(next);
}

bool PlaceCache::is_confirmed(CallPlace& place, const SoughtPlace& sought) noexcept {
  if (!has_all_words(place, sought.frame)) return false;
  const bool on_fiber = sought.top == sought.frame + kFiberBytes;
  if (place.confirmed < kConfirmations && !on_fiber) ++place.confirmed;
  return true;
}

CallPlace* PlaceCache::expected_otherwise(const SoughtPlace& sought) noexcept {
  CallPlace* const next = last_->following[1];
  if (next == nullptr || !is_alike(*next, sought) || !is_confirmed(*next, sought)) return nullptr;
  follow(next);
  return next;
}

CallPlace* PlaceCache::find(const SoughtPlace& sought) noexcept {
  CallPlace* found = storage_->buckets[bucket_of(sought)];
  for (unsigned length = 0; found != nullptr && !is_same(*found, sought); found = found->same_bucket)
    if (++length == kLongestChain) return nullptr;
  if (found != nullptr) follow(found);
  return found;
}

CallPlace& PlaceCache::add(const SoughtPlace& sought, const NativeStack& native, uint32_t stack) noexcept {
  const uint32_t bucket = bucket_of(sought);
  CallPlace* oldest = storage_->buckets[bucket];
  unsigned length = oldest != nullptr ? 1 : 0;
  for (; length != 0 && length < kLongestChain && oldest->same_bucket != nullptr; ++length)
    oldest = oldest->same_bucket;
  CallPlace& place = length == kLongestChain ? *oldest : make(bucket);
  fill(place, sought, native, stack);
  follow(&place);
  return place;
}

}  // namespace syncsniff::shim
