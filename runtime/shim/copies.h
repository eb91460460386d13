// What a copy call moves: from which kind of memory to which, how many bytes, and whether it therefore waits.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"

namespace syncsniff::shim {

struct ThreadState;

struct CopyShape {
  trace::HostMemory src = trace::HostMemory::kUnknown, dst = trace::HostMemory::kUnknown;
  uint64_t bytes = 0;
  bool blocks = false;       // the call waits for the device before it returns
  bool covers_self = false;  // ... and for the copy itself: its stream is empty then
};

CopyShape shape_of_copy(const ApiInfo& info, const uint64_t* words) noexcept;
// Memory of the host's that no page of lies on a device: pageable or pinned. May ask the driver.
bool is_plain_host(uint64_t address) noexcept;

}  // namespace syncsniff::shim
