#include "runtime/shim/stack_cache.h"

#include <unwind.h>

#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

// Off the thread's own stack (a fiber), only this much above the hook is sure to be mapped.
constexpr uintptr_t kFiberBytes = 4096;

struct Unwinding {
  uint64_t first;  // return address of the hook: frames below it are ours
  uintptr_t frame, top;
  bool started;
  StackEntry* entry;
};

// In libgcc's unwinder the CFA seen with an address is that of the frame below, so the address lies just under it.
_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* argument) noexcept {
  auto& unwinding = *static_cast<Unwinding*>(argument);
  const uint64_t address = _Unwind_GetIP(context);
  const uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uint64_t);
  if (!unwinding.started) {
    if (address != unwinding.first || slot + sizeof(uint64_t) != unwinding.frame) return _URC_NO_REASON;
    unwinding.started = true;
  }
  StackEntry& entry = *unwinding.entry;
  if (address == 0 || entry.frames == kMaxNativeFrames) return _URC_END_OF_STACK;
  // A frame whose address does not lie on this stack (a signal frame) cannot be validated: the stack ends before it.
  if (slot + sizeof(uint64_t) > unwinding.top || slot + sizeof(uint64_t) < unwinding.frame) return _URC_END_OF_STACK;
  if (*reinterpret_cast<const uint64_t*>(slot) != address) return _URC_END_OF_STACK;
  entry.address[entry.frames] = address;
  entry.offset[entry.frames] = static_cast<uint32_t>(slot + sizeof(uint64_t) - unwinding.frame);
  ++entry.frames;
  return _URC_NO_REASON;
}

bool still_valid(const StackEntry& entry, uintptr_t frame, uintptr_t top) noexcept {
  if (entry.frames == 0 || frame + entry.offset[entry.frames - 1] > top) return false;
  const char* base = reinterpret_cast<const char*>(frame - sizeof(uint64_t));
  for (unsigned i = 0; i < entry.frames; ++i)
    if (*reinterpret_cast<const uint64_t*>(base + entry.offset[i]) != entry.address[i]) return false;
  return true;
}

void unwind(StackEntry& entry, const void* return_address, uintptr_t frame, uintptr_t top) noexcept {
  entry.frames = 0;
  entry.stack = 0;
  Unwinding unwinding{reinterpret_cast<uint64_t>(return_address), frame, top, false, &entry};
  _Unwind_Backtrace(take_frame, &unwinding);
  if (entry.frames == 0) {
    entry.address[0] = reinterpret_cast<uint64_t>(return_address);
    entry.offset[0] = 0;
    entry.frames = 1;
  }
  uint64_t hash = 1;
  for (unsigned i = 0; i < entry.frames; ++i) hash = mix(hash, entry.address[i]);
  entry.native_hash = hash;
}

}  // namespace

StackEntry* StackCache::find(const void* return_address, uintptr_t frame, uint32_t key, uintptr_t stack_top) noexcept {
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const bool own_stack = stack_top != 0 && frame < stack_top && stack_top - frame < (1ull << 32) && here < frame;
  const uintptr_t top = own_stack ? stack_top : frame + kFiberBytes;
  const uint64_t tag = mix(mix(mix(7, reinterpret_cast<uint64_t>(return_address)), frame), key) | 1;
  const unsigned set = static_cast<unsigned>(tag >> 32) % kSets;
  for (unsigned way = 0; way < kWays; ++way)
    if (tags_[set][way] == tag && still_valid(entries_[set][way], frame, top)) return &entries_[set][way];
  const unsigned way = next_[set]++ % kWays;
  tags_[set][way] = tag;
  unwind(entries_[set][way], return_address, frame, top);
  return &entries_[set][way];
}

}  // namespace syncsniff::shim
