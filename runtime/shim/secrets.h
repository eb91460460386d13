// Masks secrets in a program's arguments: what looks like one becomes ***. The table in secrets.cpp defines this;
// SECURITY.md describes it.
#pragma once

#include <cstddef>

namespace syncsniff::shim {

// `words`: arguments, each terminated by '\0', `bytes` in all. Writes them masked to `out`, truncated to `room` bytes,
// and returns the number of bytes written. Allocates no memory.
size_t mask_secrets(const char* words, size_t bytes, char* out, size_t room) noexcept;

}  // namespace syncsniff::shim
