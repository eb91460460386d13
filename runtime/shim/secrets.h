// Arguments of a program as they may be kept: what looks like a secret becomes ***. What does is in one table, in
// secrets.cpp, which SECURITY.md tells.
#pragma once

#include <cstddef>

namespace syncsniff::shim {

// `words`: arguments, each ended by '\0', `bytes` in all. Writes them masked to `out`, cut after `room` bytes; how many
// bytes that are. Takes no memory.
size_t mask_secrets(const char* words, size_t bytes, char* out, size_t room) noexcept;

}  // namespace syncsniff::shim
