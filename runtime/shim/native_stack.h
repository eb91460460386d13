// The native frames above a hook: unwound once (about 27 us for 36 frames, measured), then recognised by the stack
// words they came from. While those words hold what they held, the stack is the same.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

inline constexpr unsigned kMaxNativeFrames = 40;

// Return addresses, innermost first, and where on the stack each lies: bytes from the hook's frame.
struct NativeStack {
  unsigned frames;
  uint32_t offset[kMaxNativeFrames];
  uint64_t address[kMaxNativeFrames];
  uint64_t hash() const noexcept;
};

// The highest address that may be read as this thread's stack. `thread_top`: its end, 0 where it is not known.
uintptr_t readable_top(uintptr_t frame, uintptr_t thread_top) noexcept;

// At least one frame: that of `return_address`, which the hook returns to and whose frame ends at `frame` (the CFA).
[[gnu::cold, gnu::noinline]] void unwind(NativeStack& out, const void* return_address, uintptr_t frame,
                                         uintptr_t top) noexcept;

// A weighted sum of the words that hold the return addresses. Two stacks of one shape have the same sum with a chance
// of 2^-64; the products do not wait for one another, so 25 frames take some 20 ns.
uint64_t sum_of_words(const uint32_t* offsets, unsigned frames, uintptr_t frame) noexcept;

}  // namespace syncsniff::shim
