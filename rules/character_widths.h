// The number of terminal columns of a character, as wcwidth() counts them, but independent of the locale.
#pragma once

#include <cstddef>
#include <cstdint>

namespace syncsniff {

// 0: combining marks, joiners, variation selectors; 2: East Asian Width W and F; 1: all others.
size_t character_columns(uint32_t code);

}  // namespace syncsniff
