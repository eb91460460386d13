#include "runtime/shim/enqueuers.h"

#include "runtime/shim/in_hook.h"

namespace syncsniff::shim {
namespace {

// Zero-filled, so that only used pages take memory; 2 KiB a thread.
constexpr uint32_t kMaxEnqueuers = 1024;
Enqueuer g_enqueuers[kMaxEnqueuers];
std::atomic<uint32_t> g_used{0};

template <class Read>
uint64_t sum(Read read) noexcept {
  const uint32_t used = g_used.load(std::memory_order_acquire);
  uint64_t total = 0;
  for (uint32_t i = 0; i < used && i < kMaxEnqueuers; ++i) total += read(g_enqueuers[i]);
  return total;
}

}  // namespace

Enqueuer* new_enqueuer() noexcept {
  const uint32_t index = g_used.fetch_add(1);
  return index < kMaxEnqueuers ? &g_enqueuers[index] : nullptr;
}

SYNCSNIFF_IN_HOOK uint64_t all_begun(uint32_t device) noexcept {
  return sum([=](const Enqueuer& one) { return one.of[device].begun.load(std::memory_order_acquire); });
}

uint64_t all_unrecorded(uint32_t device) noexcept {
  return sum([=](const Enqueuer& one) { return one.of[device].unrecorded.load(std::memory_order_acquire); });
}

unsigned devices_used() noexcept {
  unsigned used = 0;
  for (uint32_t device = 0; device < kMaxDevices; ++device) used += all_begun(device) != 0;
  return used;
}

// Finished counts are read first: an enqueue that begins in between counts as in flight.
SYNCSNIFF_IN_HOOK uint64_t all_in_flight(uint32_t device, uint64_t& begun) noexcept {
  const uint64_t finished =
      sum([=](const Enqueuer& one) { return one.of[device].finished.load(std::memory_order_acquire); });
  begun = all_begun(device);
  return begun - finished;
}

uint64_t first_begin_ns(uint32_t device, uint64_t otherwise) noexcept {
  const uint32_t used = g_used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used && i < kMaxEnqueuers; ++i) {
    const EnqueueCounts& counts = g_enqueuers[i].of[device];
    const uint64_t finished = counts.finished.load(std::memory_order_acquire);
    if (counts.begun.load(std::memory_order_acquire) == finished) continue;
    const uint64_t begin_ns = counts.begin_ns.load(std::memory_order_relaxed);
    if (begin_ns < otherwise) otherwise = begin_ns;
  }
  return otherwise;
}

}  // namespace syncsniff::shim
