// A loop around a query is a wait, so consecutive queries of the same object are merged into one record.
#pragma once

#include <cstdint>

#include "runtime/shim/record.h"

namespace syncsniff::shim {

// Adds one query. Returns when the spin that it belongs to began.
uint64_t fold_poll(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                   uint64_t end_ns) noexcept;
void close_poll(ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
