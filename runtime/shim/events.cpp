#include "runtime/shim/events.h"

#include "runtime/shim/in_hook.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

constexpr unsigned kEventBits = 16, kEventProbes = 64, kEventsTogether = 256;

struct EventState {
  std::atomic<uint64_t> key;
  std::atomic<StreamState*> stream;
  std::atomic<uint64_t> number;
  std::atomic<uint64_t> turn;
};

// Zero-filled, so that only used pages take memory; in the library's own bss.
EventState g_events[1u << kEventBits];
std::atomic<bool> g_has_events[(1u << kEventBits) / kEventsTogether];

SYNCSNIFF_IN_HOOK EventState* find_event(uint64_t event, bool make) noexcept {
  constexpr unsigned kMask = (1u << kEventBits) - 1;
  unsigned at = static_cast<unsigned>(mix(5, event) >> (64 - kEventBits));
  for (unsigned i = 0; i < kEventProbes; ++i, at = (at + 1) & kMask) {
    EventState& state = g_events[at];
    uint64_t seen = state.key.load(std::memory_order_acquire);
    if (seen == event) return &state;
    if (seen != 0) continue;
    if (!make) return nullptr;
    if (!state.key.compare_exchange_strong(seen, event) && seen != event) continue;
    g_has_events[at / kEventsTogether].store(true);
    return &state;
  }
  return nullptr;
}

}  // namespace

SYNCSNIFF_IN_HOOK EventMark mark_of_event(uint64_t event) noexcept {
  const EventState* const state = find_event(event, false);
  if (state == nullptr) return {nullptr, 0, 0};
  const uint64_t turn = state->turn.load();
  StreamState* const stream = state->stream.load();
  return {stream, state->number.load(), turn};
}

// Plain stores are enough here and below (a step records an event or two): if two threads record one event at once,
// either value of turn differs from the one before.
SYNCSNIFF_IN_HOOK void forget_event(uint64_t event) noexcept {
  if (!recording()) return;
  EventState* const entry = find_event(event, false);
  if (entry == nullptr) return;
  entry->turn.store(entry->turn.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  entry->stream.store(nullptr, std::memory_order_release);
}

SYNCSNIFF_IN_HOOK void event_recorded(uint64_t event, const WaitTicket& before) noexcept {
  EventState* entry = find_event(event, true);
  if (entry == nullptr || before.stream == nullptr || before.stream->capturing.load()) return;
  // Two threads may record the event at once, so `number` is 0 (no work) until the stream is stored.
  entry->number.store(0, std::memory_order_release);
  entry->stream.store(before.stream, std::memory_order_release);
  if (before.quiet) entry->number.store(before.up_to, std::memory_order_release);
}

void forget_events() noexcept {
  for (unsigned part = 0; part < (1u << kEventBits) / kEventsTogether; ++part) {
    if (!g_has_events[part].load()) continue;
    for (unsigned i = 0; i < kEventsTogether; ++i) g_events[part * kEventsTogether + i].stream.store(nullptr);
  }
}

}  // namespace syncsniff::shim
