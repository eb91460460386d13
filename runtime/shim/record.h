// Writes what each class of driver call leaves in the trace, before and after the real call. begin_* returns whether
// this call is recorded; if so, end_* must follow. errno stays as the real call left it.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"
#include "runtime/shim/call_site.h"
#include "runtime/shim/sent.h"
#include "runtime/shim/streams.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

struct CallPlace;
struct ThreadState;

struct Call {
  ThreadState* thread;
  CallPlace* place;
  uint64_t begin_ns, stream, bytes;
  uint32_t stack;
  bool per_thread, waits, works;
  bool blocked;
  trace::HostMemory src, dst;
  WorkTicket work;
};
// Launches use only Call, so that they need just one cache line of the stack.
struct WaitingCall : Call {
  WaitTicket wait;
  Sent sent;  // of copies
};

// For calls that enqueue work and never wait: a launch, a graph, a memset, a host function. `object`: what is launched.
bool begin_enqueue(Call& call, const CallSite& site, uint64_t stream, bool per_thread, uint64_t object) noexcept;
void end_enqueue(Call& call, const CallSite& site, uint64_t object, Enqueues what, int result) noexcept;
bool begin_copy(WaitingCall& call, const CallSite& site, uint64_t stream, bool per_thread,
                const uint64_t* words) noexcept;
void end_copy(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept;
// For loading a module or looking something up in one: recorded only if it takes time. A library looks up each of its
// kernels at each launch, so the thread is marked as inside a hook only when a call is recorded. begin_load() returns a
// moment (thread_clock.h); 0: the call is not recorded.
uint64_t begin_load() noexcept;
void end_load(const CallSite& site, uint64_t begun, int result) noexcept;
// For all other calls. A copy that waited also ends as a wait: by then hardly any of our code is in a cache.
template <Watched kKind>
bool begin_call(WaitingCall& call, const CallSite& site, uint64_t stream, const uint64_t* words) noexcept;
template <Watched kKind>
void end_call(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept;

// To be called after cuInit: the first success opens the trace.
void initialized(int result) noexcept;

}  // namespace syncsniff::shim
