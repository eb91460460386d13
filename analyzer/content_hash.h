// Whether a file still holds what was read of it: times tell too little (a copy keeps them, a clock runs ahead).
#pragma once

#include <cstdint>
#include <string_view>

namespace syncsniff {

// XXH3 of the bytes, 64 bits.
uint64_t content_hash(std::string_view content);

}  // namespace syncsniff
