// Hash tables of the shim, such as a thread's table from call site to SiteCount record. Open addressing over 64-bit
// hashes; zero-filled memory is an empty table. A full table returns nullptr, which costs only detail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/trace/format.h"

namespace syncsniff::shim {

// An odd factor for hashes; sums over many words use its powers as weights.
inline constexpr uint64_t kOddFactor = 0xbf58476d1ce4e5b9ull;

inline uint64_t mix(uint64_t hash, uint64_t word) noexcept {
  hash ^= word * 0x9e3779b97f4a7c15ull;
  hash = (hash << 31) | (hash >> 33);
  return hash * kOddFactor + 1;
}

// Hashes eight bytes at a time.
inline uint64_t mix_text(uint64_t hash, const char* text, size_t bytes) noexcept {
  hash = mix(hash, bytes);
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t part = 0;
    std::memcpy(&part, text + i, bytes - i < 8 ? bytes - i : 8);
    hash = mix(hash, part);
  }
  return hash;
}

template <class Value, unsigned Bits>
class HashTable {
 public:
  // The entry of `hash`, which has value {} if it is new; nullptr if the table is too full for a new one.
  Value* find(uint64_t hash) noexcept {
    if (hash == 0) hash = 1;
    for (unsigned i = 0, at = static_cast<unsigned>(hash >> (64 - Bits)); i < kProbes; ++i, at = (at + 1) & kMask) {
      if (entries_[at].hash == hash) return &entries_[at].value;
      if (entries_[at].hash == 0) {
        entries_[at].hash = hash;
        return &entries_[at].value;
      }
    }
    return nullptr;
  }

  // The same without adding an entry, safe while another thread adds one; {}: not there, or not yet.
  Value look_up(uint64_t hash) const noexcept {
    if (hash == 0) hash = 1;
    for (unsigned i = 0, at = static_cast<unsigned>(hash >> (64 - Bits)); i < kProbes; ++i, at = (at + 1) & kMask) {
      const uint64_t seen = __atomic_load_n(&entries_[at].hash, __ATOMIC_RELAXED);
      if (seen == hash) return __atomic_load_n(&entries_[at].value, __ATOMIC_ACQUIRE);
      if (seen == 0) break;
    }
    return {};
  }

 private:
  static constexpr unsigned kSize = 1u << Bits, kMask = kSize - 1, kProbes = 64;
  struct Entry {
    uint64_t hash;
    Value value;
  };
  Entry entries_[kSize];
};

using SiteTable = HashTable<trace::SiteCountRecord*, 14>;

}  // namespace syncsniff::shim
