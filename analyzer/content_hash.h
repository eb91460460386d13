// A hash that shows whether a file still has the content that was read. Time stamps are not enough: copying keeps them,
// and clocks may be wrong.
#pragma once

#include <cstdint>
#include <string_view>

namespace syncsniff {

// XXH3 of the bytes, 64 bits.
uint64_t content_hash(std::string_view content);

}  // namespace syncsniff
