// Which addresses are pinned, managed or device memory, from the allocations that went through the shim.
// Readers take no lock (a sequence count tells them to look again); writers are allocations and frees.
#pragma once

#include <cstdint>

#include "runtime/trace/format.h"

namespace syncsniff::shim {

void add_range(uint64_t begin, uint64_t bytes, trace::HostMemory kind) noexcept;

// Forgets the range that begins there; its size and kind, or size 0.
struct RemovedRange {
  uint64_t bytes = 0;
  trace::HostMemory kind = trace::HostMemory::kUnknown;
};
RemovedRange remove_range(uint64_t begin) noexcept;

// kUnknown: no allocation that we saw holds it.
trace::HostMemory find_range(uint64_t address) noexcept;

}  // namespace syncsniff::shim
