#include "runtime/shim/streams.h"

#include <sys/mman.h>

#include <cstring>

#include "runtime/shim/driver.h"
#include "runtime/shim/site_table.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

constexpr unsigned kStreamBits = 12, kEventBits = 16, kProbes = 64, kMaxDevices = 64, kMaxScanned = 1024;

struct EventState {
  std::atomic<uint64_t> key;
  std::atomic<StreamState*> stream;
  std::atomic<uint64_t> number;
};

struct alignas(64) Device {
  std::atomic<uint64_t> begun, finished;
  std::atomic<uint64_t> drained;        // a wait for the whole device covered everything up to this number
  std::atomic<uint64_t> orphaned_work;  // last number of streams that were destroyed with work on them
  std::atomic<uint32_t> idle_open;      // 1: `idle` holds an idle interval nobody has ended; 2: being written
  trace::IdleRecord idle;
};

struct Tables {
  Device devices[kMaxDevices];
  StreamState streams[1u << kStreamBits];
  EventState events[1u << kEventBits];
  std::atomic<uint32_t> used_streams;
  std::atomic<StreamState*> used[kMaxScanned];
  std::atomic<bool> idle_given_up;
  std::atomic<int> captures;
};

// Zero-filled and touched only where used; in the library's own bss.
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

StreamState* find_stream(ThreadState& thread, uint64_t stream, bool per_thread) noexcept {
  const uint64_t key = stream_key(thread, stream, per_thread);
  if (thread.last_stream != nullptr && thread.last_stream_key == key) return thread.last_stream;
  StreamState* state = insert_stream(thread, key);
  thread.last_stream = state;
  thread.last_stream_key = key;
  return state;
}

EventState* find_event(uint64_t event, bool make) noexcept {
  constexpr unsigned kMask = (1u << kEventBits) - 1;
  unsigned at = static_cast<unsigned>(mix(5, event) >> (64 - kEventBits));
  for (unsigned i = 0; i < kProbes; ++i, at = (at + 1) & kMask) {
    EventState& state = g_tables.events[at];
    uint64_t seen = state.key.load(std::memory_order_acquire);
    if (seen == event) return &state;
    if (seen != 0) continue;
    if (!make) return nullptr;
    if (state.key.compare_exchange_strong(seen, event) || seen == event) return &state;
  }
  return nullptr;
}

bool all_clean(const Device& device, uint32_t index) noexcept {
  const uint64_t drained = device.drained.load();
  if (device.orphaned_work.load() > drained) return false;
  const uint32_t used = g_tables.used_streams.load();
  for (uint32_t i = 0; i < used && i < kMaxScanned; ++i) {
    const StreamState* stream = g_tables.used[i].load();
    if (stream == nullptr) return false;
    if (stream->device != index) continue;
    const uint64_t last = stream->last_work.load();
    if (last > drained && last > stream->done_work.load()) return false;
  }
  return true;
}

void note_start(WaitTicket& ticket) noexcept {
  Device& device = g_tables.devices[ticket.device];
  const uint64_t finished = device.finished.load();
  ticket.begun = device.begun.load();
  ticket.quiet = finished == ticket.begun;
}

}  // namespace

bool is_per_thread(uint64_t stream, bool per_thread) noexcept { return stream == 2 || (stream == 0 && per_thread); }
bool is_legacy(uint64_t stream, bool per_thread) noexcept { return stream == 1 || (stream == 0 && !per_thread); }

uint32_t current_device(ThreadState& thread) noexcept {
  if (thread.device < 0) {
    const int device = driver_current_device();
    thread.device = device >= 0 && device < static_cast<int>(kMaxDevices) ? device : 0;
  }
  return static_cast<uint32_t>(thread.device);
}

void forget_current_device(ThreadState& thread) noexcept {
  if (driver_device_count() == 1) return;
  thread.device = -1;
  thread.last_stream = nullptr;
}

void begin_work(ThreadState& thread, uint64_t stream, bool per_thread, uint64_t begin_ns, WorkTicket& ticket) noexcept {
  StreamState* state = find_stream(thread, stream, per_thread);
  ticket.device = state != nullptr ? state->device : current_device(thread);
  ticket.stream = state;
  if (state != nullptr && state->capturing.load(std::memory_order_relaxed)) {
    ticket.capturing = true;
    return;
  }
  Device& device = g_tables.devices[ticket.device];
  ticket.active = true;
  ticket.number = device.begun.fetch_add(1) + 1;
  if (state != nullptr) raise_to(state->last_work, ticket.number);
  uint32_t open = 1;
  if (device.idle_open.load() == 1 && device.idle_open.compare_exchange_strong(open, 2)) {
    ticket.idle = device.idle;
    device.idle_open.store(0);
    ticket.idle.end_ns = begin_ns;
    ticket.idle.enqueue_tid = thread.tid;
    ticket.ends_idle = begin_ns > ticket.idle.begin_ns;
  }
}

void end_work(const WorkTicket& ticket) noexcept {
  if (ticket.active) g_tables.devices[ticket.device].finished.fetch_add(1);
}

void begin_device_wait(ThreadState& thread, WaitTicket& ticket) noexcept {
  ticket.device = current_device(thread);
  note_start(ticket);
  ticket.up_to = ticket.begun;
}

void begin_stream_wait(ThreadState& thread, uint64_t stream, bool per_thread, WaitTicket& ticket) noexcept {
  ticket.stream = find_stream(thread, stream, per_thread);
  ticket.device = ticket.stream != nullptr ? ticket.stream->device : current_device(thread);
  // Before note_start: what is read here was begun by then, and so has ended when that finds nothing in flight.
  if (ticket.stream != nullptr) ticket.up_to = ticket.stream->last_work.load();
  note_start(ticket);
}

void begin_event_wait(ThreadState& thread, uint64_t event, WaitTicket& ticket) noexcept {
  const EventState* state = find_event(event, false);
  ticket.stream = state != nullptr ? state->stream.load() : nullptr;
  ticket.device = ticket.stream != nullptr ? ticket.stream->device : current_device(thread);
  if (ticket.stream != nullptr) ticket.up_to = state->number.load();
  note_start(ticket);
}

// The copy's own number is in flight: the wait is quiet when no other is.
void begin_own_wait(const WorkTicket& work, WaitTicket& ticket) noexcept {
  Device& device = g_tables.devices[work.device];
  ticket.device = work.device;
  ticket.stream = work.stream;
  const uint64_t finished = device.finished.load();
  ticket.begun = device.begun.load();
  ticket.quiet = work.active && finished + 1 == ticket.begun && ticket.begun == work.number;
  ticket.up_to = work.stream != nullptr ? work.number : 0;
}

bool end_wait(const WaitTicket& ticket) noexcept {
  if (!ticket.quiet || g_tables.idle_given_up.load(std::memory_order_relaxed)) return false;
  Device& device = g_tables.devices[ticket.device];
  if (ticket.stream == nullptr && ticket.up_to != ticket.begun) return false;  // an event of which nothing is known
  if (ticket.stream == nullptr)
    raise_to(device.drained, ticket.up_to);
  else
    raise_to(ticket.stream->done_work, ticket.up_to);
  // Last of all: nothing was begun since the wait began, so what was clean while we looked is clean.
  return all_clean(device, ticket.device) && device.begun.load() == ticket.begun;
}

void open_idle(const WaitTicket& ticket, const trace::IdleRecord& idle) noexcept {
  Device& device = g_tables.devices[ticket.device];
  uint32_t closed = 0;
  if (!device.idle_open.compare_exchange_strong(closed, 2)) return;  // idle already: the first wait is to blame
  device.idle = idle;
  device.idle_open.store(1);
  // An enqueue that began meanwhile may have missed it: then there is no idle time to tell of.
  uint32_t open = 1;
  if (device.begun.load() != ticket.begun) device.idle_open.compare_exchange_strong(open, 0);
}

void event_recorded(uint64_t event, const WaitTicket& before) noexcept {
  EventState* entry = find_event(event, true);
  if (entry == nullptr || before.stream == nullptr || before.stream->capturing.load()) return;
  entry->number.store(0);
  entry->stream.store(before.stream);
  if (before.quiet) entry->number.store(before.up_to);
}

void stream_created(ThreadState& thread, uint64_t stream) noexcept {
  // A handle that is used again starts clean; what the stream before it left is in orphaned_work.
  StreamState* state = insert_stream(thread, stream);
  if (state != nullptr) state->device = current_device(thread);
}

// A destroyed stream's work goes on: it is kept against the device, and ends with a wait for the whole device.
void stream_destroyed(ThreadState& thread, uint64_t stream) noexcept {
  StreamState* state = find_stream(thread, stream, false);
  if (state == nullptr) return;
  const uint64_t last = state->last_work.load();
  if (last > state->done_work.load()) raise_to(g_tables.devices[state->device].orphaned_work, last);
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
