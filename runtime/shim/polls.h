// A loop around a query is a wait: consecutive queries of the same object become one record.
#pragma once

#include <cstdint>

#include "runtime/shim/record.h"

namespace syncsniff::shim {

// Adds one ask; when the spin it belongs to began.
uint64_t fold_poll(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                   uint64_t end_ns) noexcept;
void close_poll(ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
