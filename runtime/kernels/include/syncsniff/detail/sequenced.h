// A value and its number in memory that the device writes and the host reads at the same time: how it is laid out, and
// the host's side of it. The writer (readback.cuh) sets the number to 0, writes the value, then writes the number.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace syncsniff::detail {

template <typename T>
inline constexpr std::size_t kWordsOf = (sizeof(T) + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);

template <typename T>
struct alignas(8) SequencedSlot {
  volatile std::uint64_t sequence;  // from 1 on; 0: none yet, or being written
  volatile std::uint32_t words[kWordsOf<T>];
};

// What the writing kernel is given. Value number n lives in slot (n - 1) % capacity.
template <typename T>
struct SequencedView {
  SequencedSlot<T>* slots;
  std::uint64_t* counter;  // device memory: number of the last value written
  std::size_t capacity;
};

template <typename T>
struct Sequenced {
  std::uint64_t sequence;
  T value;
};

// Empty if there is no value, or if it is being written.
template <typename T>
std::optional<Sequenced<T>> read_slot(const SequencedSlot<T>& slot) {
  const std::uint64_t before = slot.sequence;
  if (before == 0) return std::nullopt;
  std::atomic_thread_fence(std::memory_order_acquire);
  std::uint32_t words[kWordsOf<T>];
  for (std::size_t i = 0; i < kWordsOf<T>; ++i) words[i] = slot.words[i];
  std::atomic_thread_fence(std::memory_order_acquire);
  if (slot.sequence != before) return std::nullopt;
  union Value {
    char none;
    T value;
    Value() : none(0) {}
  } out;
  std::memcpy(static_cast<void*>(&out.value), words, sizeof(T));
  return Sequenced<T>{before, out.value};
}

template <typename T>
std::optional<Sequenced<T>> read_newest(const SequencedSlot<T>* slots, std::size_t capacity) {
  std::optional<Sequenced<T>> newest;
  for (std::size_t i = 0; i < capacity; ++i) {
    const std::optional<Sequenced<T>> read = read_slot(slots[i]);
    if (read && (!newest || read->sequence > newest->sequence)) newest.emplace(*read);
  }
  return newest;
}

// Value number `next`, or, where newer ones have overwritten it, the oldest after it that is left; `next` moves past
// it and `missed` counts those that were lost. Empty if it has not come yet.
template <typename T>
std::optional<Sequenced<T>> read_next(const SequencedSlot<T>* slots, std::size_t capacity, std::uint64_t& next,
                                      std::uint64_t& missed) {
  std::optional<Sequenced<T>> read = read_slot(slots[(next - 1) % capacity]);
  if (read && read->sequence > next) {
    // A lap or more behind: with `sequence` written here, those up to sequence - capacity are gone.
    std::uint64_t at = read->sequence - capacity + 1;
    for (; at < read->sequence; ++at) {
      const std::optional<Sequenced<T>> older = read_slot(slots[(at - 1) % capacity]);
      if (older && older->sequence == at) {
        read.emplace(*older);
        break;
      }
    }
    missed += read->sequence - next;
  } else if (read && read->sequence < next) {
    return std::nullopt;
  }
  if (read) next = read->sequence + 1;
  return read;
}

}  // namespace syncsniff::detail
