// Identifies the hook that a call came through, and the frame that called it.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

struct CallSite {
  const void* return_address;
  uintptr_t frame;  // CFA of the hook
  uint32_t key;     // one number for each wrapper
  unsigned api() const noexcept { return key / kSlots; }
  unsigned slot() const noexcept { return key % kSlots; }
};
static_assert(kApiCount * kSlots <= 0x10000);

}  // namespace syncsniff::shim
