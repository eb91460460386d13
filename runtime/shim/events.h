// Which work of which stream each event stands for: what a wait for the event proves.
#pragma once

#include <cstdint>

#include "runtime/shim/streams.h"

namespace syncsniff::shim {

struct EventMark {
  StreamState* stream;  // nullptr: not known
  uint64_t number;      // of that stream's enqueues, up to which the event stands for
  uint64_t turn;        // how often the event was given anew
};

EventMark mark_of_event(uint64_t event) noexcept;

// Before the event is recorded anew, or destroyed: the next one may get its handle.
void forget_event(uint64_t event) noexcept;
// `before`: begin_stream_wait on the event's stream, taken before the real call.
void event_recorded(uint64_t event, const WaitTicket& before) noexcept;
// What is waited for by any event is not known, until it is recorded again.
void forget_events() noexcept;

}  // namespace syncsniff::shim
