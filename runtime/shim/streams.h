// Counts the work on each stream to decide when a device is certainly empty. An enqueue is counted on its thread and
// its stream before the real call, and counted as finished after it; a stream is clean once a wait has covered its last
// number. If two threads race, the device does not count as empty.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/shim/enqueuers.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct ThreadState;

struct StreamState {
  std::atomic<uint64_t> key;        // 0: empty
  std::atomic<uint64_t> last_work;  // number of enqueues begun on it, which is the number of the last
  std::atomic<uint64_t> done_work;  // a wait has proved the end of everything up to this number
  uint32_t device;
  std::atomic<bool> capturing;
};

// Two threads may store the same number, and an interrupted thread one that others have passed. That does no harm:
// waits read the number while no enqueue is in flight.
inline void count_work(StreamState& stream) noexcept {
  stream.last_work.store(stream.last_work.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

struct WorkTicket {
  uint32_t device;
  bool active, capturing, ends_idle;
  trace::IdleRecord idle;  // valid when ends_idle; the enqueuer's stack is not in it yet
};

enum class Covers : uint8_t { kNothingKnown, kStream, kDevice };

// Most streams with work on them that one wait for a whole device is known to cover.
inline constexpr uint32_t kMostCovered = 16;

struct WaitTicket {
  uint32_t device;
  Covers covers;
  bool quiet;            // no enqueue was in flight when the wait began
  StreamState* stream;   // for Covers::kStream
  uint64_t event, turn;  // the event that is waited for, and its turn; event 0: the stream itself
  uint64_t up_to;        // the wait covers all up to this number: of the stream's enqueues, or of the device's orphans
  uint64_t begun;
  uint32_t streams;
  struct {
    StreamState* stream;
    uint64_t up_to;
  } covered[kMostCovered];
};

// Combines a handle and the kind of entry point into one word.
inline uint64_t tag_of(uint64_t stream, bool per_thread) noexcept {
  return stream ^ static_cast<uint64_t>(per_thread) << 63;
}
// Stream handles as passed to the driver: 0 default (for that kind of entry point), 1 legacy, 2 per thread.
bool is_legacy(uint64_t stream, bool per_thread) noexcept;
bool is_per_thread(uint64_t stream, bool per_thread) noexcept;

uint32_t current_device(ThreadState& thread) noexcept;
void forget_current_device(ThreadState& thread) noexcept;
// To be called when the calling thread may have another current device.
void context_switched() noexcept;

// To be called around the real call of anything that puts work on `stream`; begin_ns: when the call began.
void begin_work(ThreadState& thread, uint64_t stream, bool per_thread, uint64_t begin_ns, WorkTicket& ticket) noexcept;
void end_work(ThreadState& thread, uint64_t begin_ns, WorkTicket& ticket) noexcept;
// Counts work that is not recorded because its thread is inside another hook; its stream is not clean any more.
[[gnu::cold, gnu::noinline]] void count_nested_work(uint64_t stream, bool per_thread) noexcept;
// To be called when the thread is inside no other hook any more: work of count_nested_work() is then enqueued.
[[gnu::cold, gnu::noinline]] void finish_nested_work(ThreadState& thread) noexcept;
// To be called when the hook that this thread was in was left by a jump: how far its real call got is not known.
void forget_left_call(ThreadState& thread) noexcept;

// To be called around the real call of a wait. end_wait returns true if the device is provably empty now.
void begin_device_wait(ThreadState& thread, WaitTicket& ticket) noexcept;
void begin_stream_wait(ThreadState& thread, uint64_t stream, bool per_thread, WaitTicket& ticket) noexcept;
void begin_event_wait(ThreadState& thread, uint64_t event, WaitTicket& ticket) noexcept;
// For a call that enqueues and waits for what it enqueued (a blocking copy).
void begin_own_wait(ThreadState& thread, uint64_t stream, bool per_thread, WaitTicket& ticket) noexcept;
bool end_wait(const WaitTicket& ticket) noexcept;

// To be called after end_wait returned true: the device is idle from idle.begin_ns until the next begin_work.
void open_idle(const WaitTicket& ticket, const trace::IdleRecord& idle) noexcept;

// The work that all streams have been given by some moment.
inline constexpr uint32_t kMostMarked = 64;
struct WorkMark {
  bool is_whole;  // false: there are more streams than fit
  uint32_t streams;
  struct {
    const StreamState* stream;
    uint64_t up_to;
  } of[kMostMarked];
};
WorkMark mark_work() noexcept;
// True if the program's own waits have proved the end of all of it. False if that is not known.
bool has_ended(const WorkMark& mark) noexcept;

void stream_created(ThreadState& thread, uint64_t stream) noexcept;
void stream_destroyed(ThreadState& thread, uint64_t stream) noexcept;
bool set_capturing(ThreadState& thread, uint64_t stream, bool per_thread, bool capturing) noexcept;
bool any_capture() noexcept;

// To be called when emptiness cannot be proved any more (several contexts on a device, green contexts).
void give_up_idle() noexcept;

}  // namespace syncsniff::shim
