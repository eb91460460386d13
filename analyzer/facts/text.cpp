#include "analyzer/facts/text.h"

#include <array>
#include <mutex>
#include <unordered_set>

namespace syncsniff::facts {
namespace {

// Found by a text that is no entry yet, so that a known one is not copied to be looked up.
struct Sought {
  std::string_view text;
  size_t hash;
};
struct Hash {
  using is_transparent = void;
  size_t operator()(const Text::Entry& entry) const { return entry.hash; }
  size_t operator()(const Sought& sought) const { return sought.hash; }
};
struct Equal {
  using is_transparent = void;
  bool operator()(const Text::Entry& a, const Text::Entry& b) const { return a.hash == b.hash && a.text == b.text; }
  bool operator()(const Sought& a, const Text::Entry& b) const { return a.hash == b.hash && a.text == b.text; }
  bool operator()(const Text::Entry& a, const Sought& b) const { return a.hash == b.hash && a.text == b.text; }
};

// Units are read from the cache on several threads: with one lock for each part they seldom wait for one another.
struct Part {
  std::mutex lock;
  std::unordered_set<Text::Entry, Hash, Equal> entries;  // whose addresses stay
};
constexpr size_t kParts = 64;

Part& part_of(size_t hash) {
  static auto& parts = *new std::array<Part, kParts>;  // never freed: a Text may be the last to go
  return parts[hash >> 32 & (kParts - 1)];  // the low bits pick the place in the part
}

}  // namespace

const Text::Entry* Text::intern(std::string_view text, size_t hash) {
  Part& part = part_of(hash);
  std::lock_guard lock(part.lock);
  const auto found = part.entries.find(Sought{text, hash});
  return found != part.entries.end() ? &*found : &*part.entries.insert({std::string(text), hash}).first;
}

Text Text::if_known(std::string_view text) {
  Text known;
  const size_t hash = std::hash<std::string_view>{}(text);
  Part& part = part_of(hash);
  std::lock_guard lock(part.lock);
  if (const auto found = part.entries.find(Sought{text, hash}); found != part.entries.end()) known.entry_ = &*found;
  return known;
}

}  // namespace syncsniff::facts
