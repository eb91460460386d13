// Which addresses are pinned, managed or device memory, from the allocations that the shim has seen. Readers take no
// lock (a sequence count tells them to retry); writers are allocations and frees.
#pragma once

#include <cstdint>

#include "runtime/trace/format.h"

namespace syncsniff::shim {

void add_range(uint64_t begin, uint64_t bytes, trace::HostMemory kind) noexcept;

// Forgets the range that begins at `begin` and returns its size and kind; size 0 if there is none.
struct RemovedRange {
  uint64_t bytes = 0;
  trace::HostMemory kind = trace::HostMemory::kUnknown;
};
RemovedRange remove_range(uint64_t begin) noexcept;

// kUnknown: no allocation that the shim has seen contains the address.
trace::HostMemory find_range(uint64_t address) noexcept;

}  // namespace syncsniff::shim
