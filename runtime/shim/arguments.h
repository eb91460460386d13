// What a driver call's arguments say, one 64-bit word each.
#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/shim/api_info.h"
#include "runtime/shim/driver_layouts.h"

namespace syncsniff::shim {

// The stream's handle; 0, the default stream, where the call names none. Folds to one load where `info` is known.
[[gnu::always_inline]] inline uint64_t stream_of(const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.stream_arg >= 0) return words[info.stream_arg];
  uint64_t stream = 0;
  if (info.config_arg >= 0 && words[info.config_arg] != 0)
    std::memcpy(&stream, reinterpret_cast<const char*>(words[info.config_arg]) + kConfigStreamOffset, sizeof(stream));
  return stream;
}

}  // namespace syncsniff::shim
