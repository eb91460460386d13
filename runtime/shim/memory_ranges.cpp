#include "runtime/shim/memory_ranges.h"

#include <pthread.h>

#include <atomic>

#include "runtime/shim/in_hook.h"
#include "runtime/shim/recorder.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {
namespace {

constexpr uint32_t kCapacity = 1u << 16;
constexpr uint64_t kKindShift = 56;

// Sorted by begin. Words are atomic so that a reader that races a writer reads old or new ones, and then retries.
struct Range {
  std::atomic<uint64_t> begin, end_and_kind;
};
Range g_ranges[kCapacity];
std::atomic<uint32_t> g_count{0};
pthread_mutex_t g_ranges_mutex = PTHREAD_MUTEX_INITIALIZER;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr uint64_t kEndMask = (1ull << kKindShift) - 1;

// Index of the first range that begins above `address`.
uint32_t upper_bound(uint64_t address, uint32_t count) noexcept {
  uint32_t low = 0;
  for (uint32_t high = count; low < high;) {
    const uint32_t middle = (low + high) / 2;
    if (g_ranges[middle].begin.load(kRelaxed) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void copy(uint32_t to, uint32_t from) noexcept {
  g_ranges[to].begin.store(g_ranges[from].begin.load(kRelaxed), kRelaxed);
  g_ranges[to].end_and_kind.store(g_ranges[from].end_and_kind.load(kRelaxed), kRelaxed);
}

class Writing {
 public:
  Writing() noexcept {
    pthread_mutex_lock(&g_ranges_mutex);
    g_recording.ranges_turn.fetch_add(1, kRelaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }
  ~Writing() {
    g_recording.ranges_turn.fetch_add(1, std::memory_order_release);
    pthread_mutex_unlock(&g_ranges_mutex);
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  const trace::SignalsHeld signals_held_;
};

// Results of this thread's last searches, by page: a training loop copies from the same few buffers, and a binary
// search mispredicts at each level.
struct Found {
  uint64_t begin, end;  // the range, or the gap between ranges, that contains the address
  uint32_t turn;        // value of ranges_turn at that search
  trace::HostMemory kind;
};
constexpr unsigned kFoundEntries = 32;
[[gnu::tls_model("initial-exec")]] constinit thread_local Found t_found[kFoundEntries]{};

Found look(uint64_t address, uint32_t turn) noexcept {
  Found now{0, ~0ull, turn, trace::HostMemory::kUnknown};
  const uint32_t count = g_count.load(kRelaxed);
  const uint32_t at = upper_bound(address, count);
  if (at < count) now.end = g_ranges[at].begin.load(kRelaxed);
  if (at > 0) {
    const uint64_t value = g_ranges[at - 1].end_and_kind.load(kRelaxed);
    now.begin = value & kEndMask;
    if (address < now.begin) {
      if (now.begin < now.end) now.end = now.begin;
      now.begin = g_ranges[at - 1].begin.load(kRelaxed);
      now.kind = static_cast<trace::HostMemory>(value >> kKindShift);
    }
  }
  return now;
}

[[gnu::noinline]] trace::HostMemory search(uint64_t address, Found& found) noexcept {
  for (int attempt = 0; attempt < 64; ++attempt) {
    const uint32_t before = g_recording.ranges_turn.load(std::memory_order_acquire);
    if ((before & 1) != 0) continue;
    const Found now = look(address, before);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (g_recording.ranges_turn.load(kRelaxed) == before) return (found = now).kind;
  }
  // Retries failed because a writer was descheduled, or there were many. Returning kUnknown would be taken for "not
  // pinned".
  const trace::SignalsHeld signals_held;
  pthread_mutex_lock(&g_ranges_mutex);
  found = look(address, g_recording.ranges_turn.load(kRelaxed));
  pthread_mutex_unlock(&g_ranges_mutex);
  return found.kind;
}

}  // namespace

void add_range(uint64_t begin, uint64_t bytes, trace::HostMemory kind) noexcept {
  if (begin == 0 || bytes == 0) return;
  const uint64_t end = (begin + bytes) & kEndMask;
  const Writing writing;
  const uint32_t count = g_count.load(kRelaxed);
  const uint32_t at = upper_bound(begin, count);
  const uint64_t value = end | (static_cast<uint64_t>(kind) << kKindShift);
  if (at > 0 && g_ranges[at - 1].begin.load(kRelaxed) == begin) {
    g_ranges[at - 1].end_and_kind.store(value, kRelaxed);
  } else if (count < kCapacity) {
    for (uint32_t i = count; i > at; --i) copy(i, i - 1);
    g_ranges[at].begin.store(begin, kRelaxed);
    g_ranges[at].end_and_kind.store(value, kRelaxed);
    g_count.store(count + 1, kRelaxed);
  }
}

RemovedRange remove_range(uint64_t begin) noexcept {
  RemovedRange removed;
  const Writing writing;
  const uint32_t count = g_count.load(kRelaxed);
  const uint32_t at = upper_bound(begin, count);
  if (at > 0 && g_ranges[at - 1].begin.load(kRelaxed) == begin) {
    const uint64_t value = g_ranges[at - 1].end_and_kind.load(kRelaxed);
    removed.bytes = (value & kEndMask) - begin;
    removed.kind = static_cast<trace::HostMemory>(value >> kKindShift);
    for (uint32_t i = at; i < count; ++i) copy(i - 1, i);
    g_count.store(count - 1, kRelaxed);
  }
  return removed;
}

SYNCSNIFF_IN_HOOK trace::HostMemory find_range(uint64_t address) noexcept {
  Found& found = t_found[(address >> 12) % kFoundEntries];
  if (found.begin <= address && address < found.end &&
      found.turn == g_recording.ranges_turn.load(std::memory_order_acquire))
    return found.kind;
  return search(address, found);
}

}  // namespace syncsniff::shim
