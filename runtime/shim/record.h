// Around the real call: what each class of driver call leaves in the trace.
// begin_* says whether this call is recorded; end_* must follow when it is. errno is left as the real call left it.
#pragma once

#include <cstdint>

#include "runtime/shim/streams.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct CallPlace;
struct ThreadState;

struct CallSite {
  const void* return_address;
  uintptr_t frame;  // CFA of the hook
  unsigned api, slot;
};

struct Call {
  ThreadState* thread;
  CallPlace* place;
  uint64_t begin_ns, stream, bytes;
  uint32_t stack;
  bool per_thread, waits, works;
  bool blocked;
  trace::HostMemory src, dst;
  WorkTicket work;
  WaitTicket wait;
};

bool begin_launch(Call& call, const CallSite& site, const uint64_t* words) noexcept;
void end_launch(Call& call, const CallSite& site, const uint64_t* words, int result) noexcept;
bool begin_call(Call& call, const CallSite& site, const uint64_t* words) noexcept;
void end_call(Call& call, const CallSite& site, const uint64_t* words, int result) noexcept;

// cuInit came back: the first success opens the trace.
void initialized(int result) noexcept;

}  // namespace syncsniff::shim
