// What each class of driver call leaves in the trace, before and after the real call. begin_* says whether this call is
// recorded; end_* must follow when it is. errno is left as the real call left it.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"
#include "runtime/shim/sent.h"
#include "runtime/shim/streams.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct CallPlace;
struct ThreadState;

struct CallSite {
  const void* return_address;
  uintptr_t frame;  // CFA of the hook
  uint32_t key;     // one number for each wrapper
  unsigned api() const noexcept { return key / kSlots; }
  unsigned slot() const noexcept { return key % kSlots; }
};
static_assert(kApiCount * kSlots <= 0x10000);

struct Call {
  ThreadState* thread;
  CallPlace* place;
  uint64_t begin_ns, stream, bytes;
  CallPlace* trusted;  // what may be expected, where not all of the stack is looked at; nullptr: it is
  uint64_t python;     // sum over the Python frames; unknown where `trusted` is set
  uint64_t innermost;  // number of the innermost one; 0 where it was not asked for
  uint32_t stack;
  bool per_thread, waits, works;
  bool blocked;
  trace::HostMemory src, dst;
  WorkTicket work;
};
// A launch does without: what it has on the stack is one line.
struct WaitingCall : Call {
  WaitTicket wait;
  Sent sent;  // of copies
};

// Enqueues work and never waits: a launch, a graph, a memset, a host function. `object`: what is launched.
bool begin_enqueue(Call& call, const CallSite& site, uint64_t stream, bool per_thread) noexcept;
void end_enqueue(Call& call, const CallSite& site, uint64_t object, Enqueues what, int result) noexcept;
// Sets call.place and call.stack of an ask, which mostly comes from where the one before came from.
void find_place_of_poll(Call& call, const CallSite& site) noexcept;
bool begin_copy(WaitingCall& call, const CallSite& site, uint64_t stream, bool per_thread,
                const uint64_t* words) noexcept;
void end_copy(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept;
// A module or what is looked up in one: leaves nothing unless it took time. A library asks for each of its kernels at
// each launch, so that its thread is inside the hook only then. begin_load(): a moment; 0: it is not recorded.
uint64_t begin_load() noexcept;
void end_load(const CallSite& site, uint64_t begun, int result) noexcept;
// All others. A copy that has waited ends as a wait, too: hardly a line of ours is in any cache then.
template <Watched kKind>
bool begin_call(WaitingCall& call, const CallSite& site, uint64_t stream, const uint64_t* words) noexcept;
template <Watched kKind>
void end_call(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept;

// cuInit came back: the first success opens the trace.
void initialized(int result) noexcept;

}  // namespace syncsniff::shim
