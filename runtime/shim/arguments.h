// Reads values from a driver call's arguments, which are passed as one 64-bit word each.
#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/shim/api_info.h"
#include "runtime/shim/driver_layouts.h"

namespace syncsniff::shim {

// The stream's handle; 0, the default stream, if the call has no stream argument. Compiles to one load if `info` is a
// constant.
[[gnu::always_inline]] inline uint64_t stream_of(const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.stream_arg >= 0) return words[info.stream_arg];
  uint64_t stream = 0;
  if (info.config_arg >= 0 && words[info.config_arg] != 0)
    std::memcpy(&stream, reinterpret_cast<const char*>(words[info.config_arg]) + kConfigStreamOffset, sizeof(stream));
  return stream;
}

}  // namespace syncsniff::shim
