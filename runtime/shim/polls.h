// A loop around a query is a wait, so consecutive queries of the same object are merged into one record.
#pragma once

#include <cstdint>

#include "runtime/shim/record.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {

// Adds one query. Returns when the spin that it belongs to began.
uint64_t fold_poll(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                   uint64_t end_ns) noexcept;
[[gnu::noinline]] void close_open_poll(ThreadState& thread) noexcept;
inline void close_poll(ThreadState& thread) noexcept {
  if (__builtin_expect(thread.asks != 0, 0)) close_open_poll(thread);
}

}  // namespace syncsniff::shim
