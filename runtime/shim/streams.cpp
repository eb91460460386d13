#include "runtime/shim/streams.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/shim/driver.h"
#include "runtime/shim/events.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

constexpr unsigned kStreamBits = 12, kProbes = 64, kMaxScanned = 1024;

struct alignas(64) Device {
  std::atomic<uint32_t> idle_open;  // 1: `idle` holds an open idle interval; 2: a thread reads or writes it; 0: none
  std::atomic<uint64_t> orphans;    // number of streams that were destroyed with work on them
  std::atomic<uint64_t> orphans_done;
  std::atomic<uint64_t> idle_begun;  // enqueues that had begun, and finished, when the interval was opened
  trace::IdleRecord idle;
};

struct Tables {
  Device devices[kMaxDevices];
  StreamState streams[1u << kStreamBits];
  std::atomic<uint32_t> used_streams;
  std::atomic<StreamState*> used[kMaxScanned];
  std::atomic<bool> idle_given_up;
  std::atomic<int> captures;
};

// Zero-filled, so that only used pages take memory; in the library's own bss.
Tables g_tables;

uint64_t stream_key(ThreadState& thread, uint64_t stream, bool per_thread) noexcept {
  if (stream > 2) return stream;
  const uint64_t device = current_device(thread);
  if (is_per_thread(stream, per_thread))
    return (1ull << 63) | (static_cast<uint64_t>(thread.tid) << 16) | (device << 2) | 2;
  return (1ull << 62) | (device << 2) | 1;
}

void raise_to(std::atomic<uint64_t>& value, uint64_t wanted) noexcept {
  uint64_t now = value.load();
  while (now < wanted && !value.compare_exchange_weak(now, wanted)) {
  }
}

StreamState* insert_stream(ThreadState& thread, uint64_t key) noexcept {
  constexpr unsigned kMask = (1u << kStreamBits) - 1;
  unsigned at = static_cast<unsigned>(mix(3, key) >> (64 - kStreamBits));
  for (unsigned i = 0; i < kProbes; ++i, at = (at + 1) & kMask) {
    StreamState& state = g_tables.streams[at];
    uint64_t seen = state.key.load(std::memory_order_acquire);
    if (seen == key) return &state;
    if (seen != 0) continue;
    if (!state.key.compare_exchange_strong(seen, key)) {
      if (seen == key) return &state;
      continue;
    }
    state.device = current_device(thread);
    const uint32_t index = g_tables.used_streams.fetch_add(1);
    if (index < kMaxScanned)
      g_tables.used[index].store(&state);
    else
      give_up_idle();
    return &state;
  }
  give_up_idle();
  return nullptr;
}

[[gnu::cold, gnu::noinline]] StreamState* find_other_stream(ThreadState& thread, uint64_t stream, bool per_thread,
                                                            uint64_t tag) noexcept {
  StreamState* state = insert_stream(thread, stream_key(thread, stream, per_thread));
  thread.last_stream = state;
  thread.last_stream_tag = tag;
  return state;
}

StreamState* find_stream(ThreadState& thread, uint64_t stream, bool per_thread) noexcept {
  const uint64_t tag = tag_of(stream, per_thread);
  if (StreamState* const last = thread.last_stream_if(tag)) return last;
  return find_other_stream(thread, stream, per_thread, tag);
}

// Calls `visit` for each stream; false if there are more than may be scanned.
template <class Visit>
bool for_all_streams(Visit visit) noexcept {
  const uint32_t used = g_tables.used_streams.load();
  if (used > kMaxScanned) return false;
  for (uint32_t i = 0; i < used; ++i) {
    StreamState* const stream = g_tables.used[i].load();
    if (stream == nullptr) return false;  // another thread is adding it
    visit(*stream);
  }
  return true;
}
// The same for the streams of one device.
template <class Visit>
bool for_each_stream(uint32_t device, Visit visit) noexcept {
  return for_all_streams([&](StreamState& stream) {
    if (stream.device == device) visit(stream);
  });
}

bool all_clean(const Device& device, uint32_t index) noexcept {
  if (device.orphans.load() > device.orphans_done.load()) return false;
  bool clean = true;
  return for_each_stream(index, [&](const StreamState& s) { clean &= s.last_work.load() <= s.done_work.load(); }) &&
         clean;
}

// Gives the caller the open interval to read and to close; false: there is none.
bool take_idle(Device& device) noexcept {
  uint32_t open = 1;
  return device.idle_open.compare_exchange_strong(open, 2);
}

uint64_t bit_of(const Device& device) noexcept { return uint64_t{1} << (&device - g_tables.devices); }

// To be called by the thread that took the interval (2). The bit is set whenever the interval is open, so that enqueues
// read only the bit.
void close_idle(Device& device) noexcept {
  g_recording.idle_devices.fetch_and(~bit_of(device));
  device.idle_open.store(0, std::memory_order_release);
}
// Discards an open interval.
void drop_idle(Device& device) noexcept {
  if (take_idle(device)) close_idle(device);
}

// Another thread's enqueue that is still in flight may have begun before ours (a blocking copy, a call that was left by
// a jump). It is searched for before the interval is taken: no thread counts an enqueue as finished, or gives it up,
// before the interval has its end. If one has finished all the same, it began before the interval was open, and the
// thread that opened it is about to discard it.
[[gnu::cold, gnu::noinline]] void end_idle(Device& device, uint32_t tid, uint64_t begin_ns,
                                           WorkTicket& ticket) noexcept {
  const uint64_t end_ns = first_begin_ns(ticket.device, begin_ns);
  uint64_t begun = 0;
  const uint64_t in_flight = all_in_flight(ticket.device, begun);
  const bool is_first = begun - in_flight == device.idle_begun.load();
  if (!take_idle(device)) return;
  ticket.idle = device.idle;
  close_idle(device);
  if (!is_first) return;
  ticket.idle.end_ns = end_ns;
  ticket.idle.enqueue_tid = tid;
  ticket.ends_idle = end_ns > ticket.idle.begin_ns;
}

// Notes that the wait is for this stream; nullptr: not known. note_start must follow.
void cover(ThreadState& thread, StreamState* stream, WaitTicket& ticket) noexcept {
  ticket.stream = stream;
  ticket.event = 0;
  ticket.covers = stream != nullptr ? Covers::kStream : Covers::kNothingKnown;
  ticket.device = stream != nullptr ? stream->device : current_device(thread);
}

void read_numbers(WaitTicket& ticket) noexcept {
  if (ticket.covers != Covers::kDevice) {
    ticket.up_to = ticket.stream != nullptr ? ticket.stream->last_work.load() : 0;
    return;
  }
  ticket.up_to = g_tables.devices[ticket.device].orphans.load();
  ticket.streams = 0;
  for_each_stream(ticket.device, [&](StreamState& stream) {
    const uint64_t last = stream.last_work.load();
    if (last > stream.done_work.load() && ticket.streams < kMostCovered)
      ticket.covered[ticket.streams++] = {&stream, last};
  });
}

// `own`: enqueues in flight that are the waiting call's own. The numbers are read while no other enqueue is in flight:
// a thread that is interrupted in count_work() sets its stream's number back to one that other threads have passed, and
// a wait that had read the higher number would seem to cover the work after it.
void note_start(WaitTicket& ticket, uint64_t own = 0) noexcept {
  const bool none = all_in_flight(ticket.device, ticket.begun) == own;
  read_numbers(ticket);
  ticket.quiet = none && all_begun(ticket.device) == ticket.begun;
}

}  // namespace

bool is_per_thread(uint64_t stream, bool per_thread) noexcept { return stream == 2 || (stream == 0 && per_thread); }
bool is_legacy(uint64_t stream, bool per_thread) noexcept { return stream == 1 || (stream == 0 && !per_thread); }

[[gnu::cold, gnu::noinline]] static void ask_current_device(ThreadState& thread) noexcept {
  const trace::ErrnoKept errno_kept;
  const int device = driver_current_device();
  thread.device = device >= 0 && device < static_cast<int>(kMaxDevices) ? device : 0;
}

uint32_t current_device(ThreadState& thread) noexcept {
  if (__builtin_expect(thread.device < 0, 0)) ask_current_device(thread);
  return static_cast<uint32_t>(thread.device);
}

void forget_current_device(ThreadState& thread) noexcept {
  if (driver_device_count() == 1) return;
  thread.device = -1;
  thread.last_stream = nullptr;
}

void context_switched() noexcept {
  if (t_slot.state != nullptr) forget_current_device(*t_slot.state);
}

SYNCSNIFF_IN_HOOK void begin_work(ThreadState& thread, uint64_t stream, bool per_thread, uint64_t begin_ns,
                                  WorkTicket& ticket) noexcept {
  StreamState* state = find_stream(thread, stream, per_thread);
  ticket.active = ticket.capturing = ticket.ends_idle = false;
  ticket.device = state != nullptr ? state->device : current_device(thread);
  if (state != nullptr && state->capturing.load(std::memory_order_relaxed)) {
    ticket.capturing = true;
    return;
  }
  ticket.active = true;
  count_begun(thread.enqueuer->of[ticket.device], begin_ns);
  if (state != nullptr) count_work(*state);
}

// A thread that opens an idle interval looks for enqueues afterwards, and this function looks for the interval after
// the real call, when the enqueue has been counted: one of the two sees the other.
SYNCSNIFF_IN_HOOK void end_work(ThreadState& thread, uint64_t begin_ns, WorkTicket& ticket) noexcept {
  if (__builtin_expect(!ticket.active, 0)) return;
  if (__builtin_expect(may_be_idle(ticket.device), 0))
    end_idle(g_tables.devices[ticket.device], thread.tid, begin_ns, ticket);
  count_finished(thread.enqueuer->of[ticket.device]);
}

// Called inside another hooked call. If the outer call enqueues work, its end_work covers this work, too; otherwise the
// next hook that runs on this thread marks it as finished.
void count_nested_work(uint64_t stream, bool per_thread) noexcept {
  ThreadState* const thread = t_slot.state;
  if (!recording() || thread == nullptr || t_slot.frame == 0) return;
  trace_file().count_nested(false);
  const trace::ErrnoKept errno_kept;
  StreamState* const state = insert_stream(*thread, stream_key(*thread, stream, per_thread));
  if (state != nullptr && state->capturing.load(std::memory_order_relaxed)) return;
  EnqueueCounts& counts = thread->enqueuer->of[state != nullptr ? state->device : current_device(*thread)];
  if (counts.begun.load(std::memory_order_relaxed) == counts.finished.load(std::memory_order_relaxed))
    count_begun(counts, 0);
  if (state != nullptr) state->last_work.fetch_add(1);
  thread->has_nested_work = true;
}

void finish_nested_work(ThreadState& thread) noexcept {
  thread.has_nested_work = false;
  for (EnqueueCounts& counts : thread.enqueuer->of)
    counts.finished.store(counts.begun.load(std::memory_order_relaxed), std::memory_order_release);
}

// The work that the call may have enqueued was counted before it, so the next wait covers it. What the shim notes about
// streams and events after a real call is reset.
void forget_left_call(ThreadState& thread) noexcept {
  for (uint32_t i = 0; i < kMaxDevices; ++i) {
    EnqueueCounts& counts = thread.enqueuer->of[i];
    const uint64_t begun = counts.begun.load(std::memory_order_relaxed);
    if (begun == counts.finished.load(std::memory_order_relaxed)) continue;
    drop_idle(g_tables.devices[i]);
    counts.finished.store(begun, std::memory_order_release);
  }
  const uint32_t streams = g_tables.used_streams.load();
  for (uint32_t i = 0; i < streams && i < kMaxScanned; ++i)
    if (StreamState* const stream = g_tables.used[i].load())
      if (stream->capturing.exchange(false)) g_tables.captures.fetch_sub(1);
  forget_events();
  thread.last_stream = nullptr;
  forget_current_device(thread);
}

void begin_device_wait(ThreadState& thread, WaitTicket& ticket) noexcept {
  ticket.device = current_device(thread);
  ticket.covers = Covers::kDevice;
  note_start(ticket);
}

SYNCSNIFF_IN_HOOK void begin_stream_wait(ThreadState& thread, uint64_t stream, bool per_thread,
                                         WaitTicket& ticket) noexcept {
  cover(thread, find_stream(thread, stream, per_thread), ticket);
  note_start(ticket);
}

SYNCSNIFF_IN_HOOK void begin_event_wait(ThreadState& thread, uint64_t event, WaitTicket& ticket) noexcept {
  const EventMark mark = mark_of_event(event);
  cover(thread, mark.stream, ticket);
  note_start(ticket);
  if (mark.stream != nullptr) ticket.up_to = mark.number, ticket.event = event, ticket.turn = mark.turn;
}

// The copy itself is in flight: the wait is quiet if no other enqueue is.
void begin_own_wait(ThreadState& thread, uint64_t stream, bool per_thread, WaitTicket& ticket) noexcept {
  cover(thread, find_stream(thread, stream, per_thread), ticket);
  note_start(ticket, 1);
}

SYNCSNIFF_IN_HOOK bool end_wait(const WaitTicket& ticket) noexcept {
  if (!ticket.quiet || g_tables.idle_given_up.load(std::memory_order_relaxed)) return false;
  Device& device = g_tables.devices[ticket.device];
  switch (ticket.covers) {
    case Covers::kNothingKnown:
      return false;
    case Covers::kStream:
      // If the event was recorded again meanwhile, the wait may have been for another thread's work.
      if (ticket.event != 0 && mark_of_event(ticket.event).turn != ticket.turn) return false;
      raise_to(ticket.stream->done_work, ticket.up_to);
      break;
    case Covers::kDevice:
      raise_to(device.orphans_done, ticket.up_to);
      for (uint32_t i = 0; i < ticket.streams; ++i)
        raise_to(ticket.covered[i].stream->done_work, ticket.covered[i].up_to);
      break;
  }
  // This comes last: nothing was begun since the wait began, so streams that were clean when checked are still clean.
  return all_clean(device, ticket.device) && all_begun(ticket.device) == ticket.begun;
}

void open_idle(const WaitTicket& ticket, const trace::IdleRecord& idle) noexcept {
  Device& device = g_tables.devices[ticket.device];
  uint32_t closed = 0;
  if (!device.idle_open.compare_exchange_strong(closed, 2)) return;  // idle already: the first wait is the cause
  device.idle = idle;
  device.idle_begun.store(ticket.begun);
  g_recording.idle_devices.fetch_or(bit_of(device));
  device.idle_open.store(1);
  // An enqueue that began meanwhile may have missed the interval: then there is no idle time to record.
  if (all_begun(ticket.device) != ticket.begun) drop_idle(device);
}

WorkMark mark_work() noexcept {
  WorkMark mark{};
  bool fits = true;
  const bool all_seen = for_all_streams([&](const StreamState& stream) {
    const uint64_t last = stream.last_work.load();
    if (last <= stream.done_work.load()) return;
    fits &= mark.streams < kMostMarked;
    if (fits) mark.of[mark.streams++] = {&stream, last};
  });
  mark.is_whole = fits && all_seen;
  return mark;
}

bool has_ended(const WorkMark& mark) noexcept {
  if (!mark.is_whole || g_tables.idle_given_up.load()) return false;
  for (const Device& device : g_tables.devices)
    if (device.orphans.load() > device.orphans_done.load()) return false;
  for (uint32_t i = 0; i < mark.streams; ++i)
    if (mark.of[i].stream->done_work.load() < mark.of[i].up_to) return false;
  return true;
}

void stream_created(ThreadState& thread, uint64_t stream) noexcept {
  // A reused handle starts clean; work that the earlier stream left is counted in the device's orphans.
  StreamState* state = insert_stream(thread, stream);
  if (state != nullptr) state->device = current_device(thread);
}

// A destroyed stream's work goes on: it is counted at the device, and proved to have ended by a wait for the whole
// device.
void stream_destroyed(ThreadState& thread, uint64_t stream) noexcept {
  StreamState* state = find_stream(thread, stream, false);
  if (state == nullptr) return;
  const uint64_t last = state->last_work.load();
  if (last > state->done_work.load()) g_tables.devices[state->device].orphans.fetch_add(1);
  raise_to(state->done_work, last);
  state->capturing.store(false);
}

bool set_capturing(ThreadState& thread, uint64_t stream, bool per_thread, bool capturing) noexcept {
  StreamState* state = find_stream(thread, stream, per_thread);
  if (state == nullptr || state->capturing.exchange(capturing) == capturing) return false;
  g_tables.captures.fetch_add(capturing ? 1 : -1);
  return true;
}

bool any_capture() noexcept { return g_tables.captures.load(std::memory_order_relaxed) > 0; }
void give_up_idle() noexcept { g_tables.idle_given_up.store(true); }

}  // namespace syncsniff::shim
