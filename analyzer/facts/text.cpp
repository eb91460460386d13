#include "analyzer/facts/text.h"

#include <array>
#include <deque>
#include <mutex>
#include <vector>

#include "analyzer/facts/text_table.h"

namespace syncsniff::facts {
namespace {

constexpr size_t kFirstSlots = 256;

// A hash table. A slot points to an entry and repeats its hash, so that a lookup skips other texts without reading
// them. At most three quarters of the slots are used.
class Part {
 public:
  Part() : slots_(kFirstSlots) {}

  std::mutex lock;

  const Text::Entry* find_or_add(std::string_view text, size_t hash) {
    const Slot* slot = &slot_of(text, hash);
    if (slot->entry) return slot->entry;
    if (entries_.size() * 4 >= slots_.size() * 3) {
      grow();
      slot = &slot_of(text, hash);
    }
    entries_.push_back({std::string(text), hash});
    return (slots_[static_cast<size_t>(slot - slots_.data())] = {hash, &entries_.back()}).entry;
  }

  void expect(size_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

 private:
  struct Slot {
    size_t hash = 0;
    const Text::Entry* entry = nullptr;
  };

  // The slot of the text, or the free slot where it belongs.
  const Slot& slot_of(std::string_view text, size_t hash) const {
    for (size_t i = hash;; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (!slot.entry || (slot.hash == hash && slot.entry->text == text)) return slot;
    }
  }

  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before) {
      size_t i = slot.hash;
      while (slots_[i & (slots_.size() - 1)].entry) ++i;
      if (slot.entry) slots_[i & (slots_.size() - 1)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::deque<Text::Entry> entries_;  // a deque, so that addresses of entries stay valid
};

// Units are read from the cache on several threads: with a lock for each part they seldom wait for one another.
constexpr size_t kParts = 64;

Part& part_of(size_t hash) {
  static auto& parts = *new std::array<Part, kParts>;  // never freed, since a Text may be destroyed after it
  return parts[hash >> 58];                            // the low bits pick the slot
}
static_assert(kParts == size_t{1} << (64 - 58));

}  // namespace

const Text::Entry* Text::intern(std::string_view text, size_t hash) {
  Part& part = part_of(hash);
  std::lock_guard lock(part.lock);
  return part.find_or_add(text, hash);
}

void expect_text(size_t hash) {
  Part& part = part_of(hash);
  std::lock_guard lock(part.lock);
  part.expect(hash);
}

}  // namespace syncsniff::facts
