#include "runtime/shim/native_stack.h"

#include <unwind.h>

#include "runtime/shim/in_hook.h"
#include "runtime/shim/site_table.h"

namespace syncsniff::shim {
namespace {

struct Unwinding {
  uint64_t first;  // return address of the hook: frames below it are the shim's
  uintptr_t frame, top;
  bool started;
  NativeStack* stack;
};

// libgcc's unwinder gives, with an address, the CFA of the frame below, so the address is stored just under that CFA.
_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* argument) noexcept {
  auto& unwinding = *static_cast<Unwinding*>(argument);
  const uint64_t address = _Unwind_GetIP(context);
  const uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uint64_t);
  if (!unwinding.started) {
    if (address != unwinding.first || slot + sizeof(uint64_t) != unwinding.frame) return _URC_NO_REASON;
    unwinding.started = true;
  }
  NativeStack& stack = *unwinding.stack;
  if (address == 0 || stack.frames == kMaxNativeFrames) return _URC_END_OF_STACK;
  // A frame whose return address is not on this stack (a signal frame) cannot be checked later: the stack ends before
  // it.
  if (slot + sizeof(uint64_t) > unwinding.top || slot + sizeof(uint64_t) < unwinding.frame) return _URC_END_OF_STACK;
  if (*reinterpret_cast<const uint64_t*>(slot) != address) return _URC_END_OF_STACK;
  stack.address[stack.frames] = address;
  stack.offset[stack.frames] = static_cast<uint32_t>(slot + sizeof(uint64_t) - unwinding.frame);
  ++stack.frames;
  return _URC_NO_REASON;
}

}  // namespace

uint64_t NativeStack::hash() const noexcept {
  uint64_t hash = 1;
  for (unsigned i = 0; i < frames; ++i) hash = mix(hash, address[i]);
  return hash;
}

// The words are in cold cache lines and are fetched in parallel; the four rows do not depend on each other's products.
// Not inlined, since the rows need more registers than a hook has to spare.
SYNCSNIFF_IN_HOOK uint64_t hash_of_words(const uint32_t* offsets, unsigned frames, uintptr_t frame) noexcept {
  const auto word = [&](unsigned i) { return word_at(frame, offsets[i]); };
  const auto turned = [](uint64_t row, unsigned bits) { return (row << bits) | (row >> (64 - bits)); };
  uint64_t a = frames, b = 0, c = 0, d = 0;
  for (unsigned i = 0; i < frames; i += kHashRows) {
    a = (a + word(i)) * kOddFactor;
    b = (b + word(i + 1)) * kOddFactor;
    c = (c + word(i + 2)) * kOddFactor;
    d = (d + word(i + 3)) * kOddFactor;
  }
  return a + turned(b, 13) + turned(c, 29) + turned(d, 47);
}

void unwind(NativeStack& out, const void* return_address, uintptr_t frame, uintptr_t top) noexcept {
  out.frames = 0;
  out.in_libraries = 0;
  Unwinding unwinding{reinterpret_cast<uint64_t>(return_address), frame, top, false, &out};
  _Unwind_Backtrace(take_frame, &unwinding);
  if (out.frames != 0) return;
  out.address[0] = reinterpret_cast<uint64_t>(return_address);
  out.offset[0] = 0;
  out.frames = 1;
}

}  // namespace syncsniff::shim
