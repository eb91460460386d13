// Counts how many enqueues each thread has begun and finished, by device. A thread writes its own counts with plain
// stores: a locked instruction would wait for all earlier stores of the program to drain, 50 ns a launch. Waits are
// rarer, and add up all threads' counts.
#pragma once

#include <atomic>
#include <cstdint>

namespace syncsniff::shim {

inline constexpr unsigned kMaxDevices = 64;

struct alignas(32) EnqueueCounts {        // within one cache line
  std::atomic<uint64_t> begun, finished;  // finished: the real call has returned
  std::atomic<uint64_t> begin_ns;         // begin of the enqueue that is in flight; 0: not known
  std::atomic<uint64_t> unrecorded;       // part of begun: those of which CUPTI makes no record: host functions, say
};
struct alignas(64) Enqueuer {
  EnqueueCounts of[kMaxDevices];
};

// Counts for a new thread, never freed, since counts only grow. nullptr: none are left.
Enqueuer* new_enqueuer() noexcept;

inline void count_begun(EnqueueCounts& counts, uint64_t begin_ns) noexcept {
  counts.begin_ns.store(begin_ns, std::memory_order_relaxed);
  counts.begun.store(counts.begun.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}
inline void count_unrecorded(EnqueueCounts& counts) noexcept {
  counts.unrecorded.store(counts.unrecorded.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}
inline void count_finished(EnqueueCounts& counts) noexcept {
  counts.finished.store(counts.finished.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Sums over all threads.
uint64_t all_begun(uint32_t device) noexcept;
uint64_t all_unrecorded(uint32_t device) noexcept;
// Number of devices that have been given work.
unsigned devices_used() noexcept;
// Returns how many enqueues are in flight, and sets `begun` to how many had begun. A thread counts an enqueue as begun
// before it is made, so 0 means that at one moment none was in flight.
uint64_t all_in_flight(uint32_t device, uint64_t& begun) noexcept;
// When the earliest of the enqueues in flight began; `otherwise` if none began before that.
uint64_t first_begin_ns(uint32_t device, uint64_t otherwise) noexcept;

}  // namespace syncsniff::shim
