// Validated stack cache: a full unwind costs about 27 us (measured, 36 frames), so its result is kept with the stack
// words it came from; while those words still hold the same return addresses, the stack is the same (10-30 ns).
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct ThreadState;

inline constexpr unsigned kMaxNativeFrames = 40;

struct StackEntry {
  uint64_t native_hash;
  uint32_t stack;  // id of these frames without Python frames; 0: not yet in the trace
  uint16_t frames;
  uint16_t reserved;
  uint32_t offset[kMaxNativeFrames];   // of the stack word, from the hook's frame
  uint64_t address[kMaxNativeFrames];  // return addresses, innermost first
};

class StackCache {
 public:
  // The frames above the hook that returns to `return_address` and whose frame ends at `frame` (the CFA).
  StackEntry* find(const void* return_address, uintptr_t frame, uint32_t key, uintptr_t stack_top) noexcept;

 private:
  static constexpr unsigned kSets = 256, kWays = 16;
  uint64_t tags_[kSets][kWays];
  uint8_t next_[kSets];
  StackEntry entries_[kSets][kWays];
};

}  // namespace syncsniff::shim
