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
  bool covers_self = false;  // that wait includes the copy itself, so its stream is empty afterwards
};

CopyShape shape_of_copy(const ApiInfo& info, const uint64_t* words) noexcept;
// True for host memory of which no page is on a device: pageable or pinned. May query the driver.
bool is_plain_host(uint64_t address) noexcept;

}  // namespace syncsniff::shim
