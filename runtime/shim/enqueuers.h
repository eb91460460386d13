// How many enqueues each thread has begun and reported, by device. A thread writes its own counts with plain stores:
// a locked instruction would wait for whatever the program has stored and not yet written, 50 ns a launch. Waits are
// rarer, and add the counts up.
#pragma once

#include <atomic>
#include <cstdint>

namespace syncsniff::shim {

inline constexpr unsigned kMaxDevices = 64;

struct alignas(32) EnqueueCounts {        // in one line
  std::atomic<uint64_t> begun, finished;  // finished: the real call has come back
  std::atomic<uint64_t> begin_ns;         // of the one that is in flight; 0: not known
  std::atomic<uint64_t> unrecorded;       // of those begun, host functions and the like: CUPTI has no record of them
};
struct alignas(64) Enqueuer {
  EnqueueCounts of[kMaxDevices];
};

// A place for a new thread's counts, for good: counts only grow. nullptr: all are taken.
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

// Over all threads.
uint64_t all_begun(uint32_t device) noexcept;
uint64_t all_unrecorded(uint32_t device) noexcept;
// The devices that have been given work.
unsigned devices_used() noexcept;
// How many are in flight, and how many were begun by then. No enqueue is older than its thread's report of it, so that
// 0 means: at one moment none was.
uint64_t all_in_flight(uint32_t device, uint64_t& begun) noexcept;
// When the first of those that are in flight began; `otherwise` when none did before it.
uint64_t first_begin_ns(uint32_t device, uint64_t otherwise) noexcept;

}  // namespace syncsniff::shim
