// Objects mapped into the process: path, build-id and address range of each, written when first seen.
#pragma once

#include <cstdint>

#include "runtime/shim/native_stack.h"

namespace syncsniff::shim {

struct ThreadState;

// Cheap when nothing was loaded or unloaded since. Takes the loader's short lock; callers hold the intern mutex or are
// alone.
void record_modules(ThreadState& thread) noexcept;

// Bit i: frame i lies in CUDA's, PyTorch's, Python's or the system's own libraries, as they were mapped at the last
// record_modules(). Same callers.
uint64_t frames_in_libraries(const NativeStack& stack) noexcept;

}  // namespace syncsniff::shim
