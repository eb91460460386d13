// Objects mapped into the process: path, build-id and address range of each, written when first seen.
#pragma once

namespace syncsniff::shim {

struct ThreadState;

// Cheap when nothing was loaded or unloaded since. Takes the loader's short lock; callers hold the intern mutex or are
// alone.
void record_modules(ThreadState& thread) noexcept;

}  // namespace syncsniff::shim
