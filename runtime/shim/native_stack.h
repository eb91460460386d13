// The native frames above a hook. They are unwound once (about 27 us for 36 frames, measured) and then recognised by
// the stack words that hold the return addresses: while these words are unchanged, the stack is the same.
#pragma once

#include <cstdint>

#include "runtime/shim/site_table.h"

namespace syncsniff::shim {

inline constexpr unsigned kMaxNativeFrames = 40;

// Return addresses, innermost first, and the offset of each on the stack, in bytes from the hook's frame.
struct NativeStack {
  unsigned frames;
  uint64_t in_libraries;  // bit i: frame i is in a library without lines of the user; set by intern_stack()
  uint32_t offset[kMaxNativeFrames];
  uint64_t address[kMaxNativeFrames];
  uint64_t hash() const noexcept;
};

// On another stack than the thread's own (a fiber), only so many bytes above the hook are sure to be mapped.
inline constexpr uintptr_t kFiberBytes = 4096;

// The highest address that may be read as this thread's stack. `thread_top`: its end; 0: not known.
[[gnu::always_inline]] inline uintptr_t readable_top(uintptr_t frame, uintptr_t thread_top) noexcept {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const bool own_stack = thread_top != 0 && frame < thread_top && thread_top - frame < (1ull << 32) && here < frame;
  return own_stack ? thread_top : frame + kFiberBytes;
}

// Fills in at least one frame: that of `return_address`, to which the hook returns and whose frame ends at `frame` (the
// CFA).
[[gnu::cold, gnu::noinline]] void unwind(NativeStack& out, const void* return_address, uintptr_t frame,
                                         uintptr_t top) noexcept;

// The word that held the return address of a frame that ends `offset` bytes above the hook's.
[[gnu::always_inline]] inline uint64_t word_at(uintptr_t frame, uint32_t offset) noexcept {
  return *reinterpret_cast<const uint64_t*>(frame - sizeof(uint64_t) + offset);
}

// Hash of the words that hold the return addresses: two different stacks of one shape collide with a probability of
// 2^-64. `offsets` must be filled up to a multiple of kHashRows by fill_up().
inline constexpr unsigned kHashRows = 4;
static_assert(kMaxNativeFrames % kHashRows == 0 && kMaxNativeFrames <= 64);
[[gnu::noinline]] uint64_t hash_of_words(const uint32_t* offsets, unsigned frames, uintptr_t frame) noexcept;
// Fills up with the offset of the first frame, which every stack has.
inline void fill_up(uint32_t* offsets, unsigned frames) noexcept {
  for (unsigned i = frames; i % kHashRows != 0; ++i) offsets[i] = offsets[0];
}

}  // namespace syncsniff::shim
