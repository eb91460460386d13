#include "runtime/shim/place_cache.h"

#include <cstring>

#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

struct Sought {
  const void* return_address;
  uintptr_t frame, top;
  uint64_t python;
  uint32_t key;
};

bool is_same(const CallPlace& place, const Sought& sought) noexcept {
  return place.return_address == sought.return_address && place.frame == sought.frame && place.key == sought.key &&
         place.python == sought.python && place.frames != 0 &&
         sought.frame + place.offset[place.frames - 1] <= sought.top &&
         sum_of_words(place.offset, place.frames, sought.frame) == place.words;
}

void prefetch(const CallPlace* place) noexcept {
  if (place == nullptr) return;
  const char* bytes = reinterpret_cast<const char*>(place);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + 64);
  __builtin_prefetch(bytes + 128);
}

}  // namespace

CallPlace& PlaceCache::make(uint32_t bucket) noexcept {
  if (used_ == kPlaces) {
    used_ = 0;
    last_ = nullptr;
    for (CallPlace*& bucket : buckets_) bucket = nullptr;
  }
  CallPlace& place = places_[used_++];
  place.following = place.same_bucket = nullptr;
  place.counted = nullptr;
  place.stack = 0;
  place.same_bucket = buckets_[bucket];
  return *(buckets_[bucket] = &place);
}

CallPlace& PlaceCache::find(const void* return_address, uintptr_t frame, uint32_t key, uintptr_t thread_top,
                            NativeStack& native, bool& fresh) noexcept {
  const Sought sought{return_address, frame, readable_top(frame, thread_top), has_python() ? sum_of_python() : 0, key};
  fresh = false;
  CallPlace* found = last_ != nullptr ? last_->following : nullptr;
  if (found == nullptr || !is_same(*found, sought)) {
    const uint64_t hash = mix(mix(mix(key, reinterpret_cast<uint64_t>(return_address)), frame), sought.python);
    const auto bucket = static_cast<uint32_t>(hash >> 32) % kBuckets;
    CallPlace* oldest = nullptr;
    unsigned length = 0;
    for (found = buckets_[bucket]; found != nullptr && !is_same(*found, sought); found = found->same_bucket) {
      oldest = found;
      if (++length == kLongestChain) break;
    }
    if (found == nullptr || length == kLongestChain) {
      found = found != nullptr ? oldest : &make(bucket);
      fresh = true;
      unwind(native, return_address, frame, sought.top);
      found->return_address = return_address;
      found->frame = frame;
      found->key = key;
      found->python = sought.python;
      found->frames = native.frames;
      found->stack = 0;
      found->counted = nullptr;
      std::memcpy(found->offset, native.offset, native.frames * sizeof(native.offset[0]));
      found->words = sum_of_words(native.offset, native.frames, frame);
    }
    if (last_ != nullptr) last_->following = found;
  }
  last_ = found;
  prefetch(found->following);
  return *found;
}

}  // namespace syncsniff::shim
