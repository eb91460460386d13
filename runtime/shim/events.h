// Which work of which stream each event stands for; a wait for the event proves the end of that work.
#pragma once

#include <cstdint>

#include "runtime/shim/streams.h"

namespace syncsniff::shim {

struct EventMark {
  StreamState* stream;  // nullptr: not known
  uint64_t number;      // of that stream's enqueues: the event stands for all up to this one
  uint64_t turn;        // how often the event was recorded or destroyed
};

EventMark mark_of_event(uint64_t event) noexcept;

// To be called before the event is recorded again or destroyed: another event may get its handle.
void forget_event(uint64_t event) noexcept;
// `before`: begin_stream_wait on the event's stream, taken before the real call.
void event_recorded(uint64_t event, const WaitTicket& before) noexcept;
// Forgets what all events stand for, until they are recorded again.
void forget_events() noexcept;

}  // namespace syncsniff::shim
