// Which slot is whose in a ring of read-backs: in flight, arrived but unread, free. Knows no CUDA and holds no values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff::detail {

// Three counters that only grow: read <= arrived <= pushed <= read + capacity. Value number n lives in slot n %
// capacity.
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) {}

  std::size_t capacity() const { return capacity_; }
  std::size_t in_flight() const { return static_cast<std::size_t>(pushed_ - arrived_); }
  std::size_t unread() const { return static_cast<std::size_t>(arrived_ - read_); }
  bool full() const { return pushed_ - read_ == capacity_; }

  std::size_t next_slot() const { return slot(pushed_); }          // not full()
  std::size_t oldest_in_flight() const { return slot(arrived_); }  // in_flight() != 0
  std::size_t oldest_unread() const { return slot(read_); }        // unread() != 0
  // The slot that `newer` others were pushed after; newer < in_flight().
  std::size_t newest_in_flight(std::size_t newer) const { return slot(pushed_ - 1 - newer); }

  void push() { ++pushed_; }
  void arrive() { ++arrived_; }
  void read() { ++read_; }

 private:
  std::size_t slot(std::uint64_t number) const { return static_cast<std::size_t>(number % capacity_); }

  std::size_t capacity_;
  std::uint64_t read_ = 0, arrived_ = 0, pushed_ = 0;
};

}  // namespace syncsniff::detail
