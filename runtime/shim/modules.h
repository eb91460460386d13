// Objects mapped into the process: path, build-id and address range of each, written when first seen.
#pragma once

#include <cstdint>

#include "runtime/shim/native_stack.h"

namespace syncsniff::shim {

struct ThreadState;

// Writes new objects. Cheap if nothing was loaded or unloaded since the last call. Takes the loader's short lock;
// callers must hold the intern mutex or be the only thread.
void record_modules(ThreadState& thread) noexcept;

// Bit i is set if frame i is in a library of CUDA, PyTorch, Python or the system, as mapped at the last
// record_modules(). Same requirements for callers.
uint64_t frames_in_libraries(const NativeStack& stack) noexcept;

}  // namespace syncsniff::shim
