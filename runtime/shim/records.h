// The records that a call leaves in the trace, for both record.cpp and launch.cpp.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"
#include "runtime/shim/place_cache.h"
#include "runtime/shim/record.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

// Calls that seldom take time (for a handle, a cached lookup) are listed one by one if they take at least this long.
inline constexpr uint64_t kListedNs = 20000;
inline constexpr int kNotReady = 600;  // CUDA_ERROR_NOT_READY

// Combines the kinds of memory on both sides of a copy into one number.
[[gnu::always_inline]] inline uint16_t kinds_of(const Call& call) noexcept {
  return static_cast<uint16_t>(static_cast<unsigned>(call.src) << 8 | static_cast<unsigned>(call.dst));
}

// Enters the hook and sets what every kind of call has, as if it did nothing: the place, the work and the waits are not
// known yet. False if the call is not recorded.
// The hook's own time before the call counts as the call's, since the program's own clock includes it, too.
[[gnu::always_inline]] inline bool start_call(Call& call, const CallSite& site, uint64_t stream,
                                              bool per_thread) noexcept {
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return false;
  call.begin_ns = call.thread->clock.now_ns();
  call.per_thread = per_thread;
  call.stream = stream;
  call.bytes = 0;
  call.place = nullptr;
  call.stack = 0;
  call.waits = call.works = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  return true;
}

// Sets call.place and call.stack to where the call came from; the whole stack is compared.
void find_place(Call& call, const CallSite& site, uint64_t what = 0) noexcept;
// The same for calls that come often, of which mostly less is compared.
void find_usual_place(Call& call, const CallSite& site, uint64_t what) noexcept;

// Prefetches the records that the call will be counted in, while it runs.
inline void fetch_records(const Call& call) noexcept {
  __builtin_prefetch(call.place->counted, 1);
  __builtin_prefetch(call.thread->burst, 1);
}

// Counts the call with those of its kind, from its place and with the same `object`.
void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept;
// The same for a call whose place was not looked up.
void count_of_function(Call& call, const CallSite& site, uint64_t end_ns) noexcept;

// Adds the call to its thread's burst: what it has enqueued since its last listed call.
void add_to_burst(Call& call, Enqueues what, uint64_t end_ns) noexcept;
inline void close_burst(ThreadState& thread) noexcept { thread.burst = nullptr; }

// Writes a record for this call alone; nullptr: the trace is full.
trace::CallRecord* list_call(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                             uint64_t end_ns) noexcept;
uint8_t flags_of(const Call& call, const ApiInfo& info, int result) noexcept;

// Writes the idle interval that this call's enqueueing has ended.
[[gnu::cold, gnu::noinline]] void write_idle(Call& call) noexcept;

}  // namespace syncsniff::shim
