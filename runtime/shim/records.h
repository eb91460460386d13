// The records that a call leaves in the trace, for both record.cpp and launch.cpp.
#pragma once

#include <cstdint>

#include "runtime/shim/api_info.h"
#include "runtime/shim/place_cache.h"
#include "runtime/shim/python_frames.h"
#include "runtime/shim/record.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/format.h"

namespace syncsniff::shim {

// Calls that seldom take time (for a handle, a cached lookup) are listed one by one if they take at least this long.
inline constexpr uint64_t kListedNs = 20000;
inline constexpr int kNotReady = 600;  // CUDA_ERROR_NOT_READY

[[gnu::always_inline]] inline uint64_t python_place() noexcept {
  return __builtin_expect(g_recording.python, 0) ? sum_of_python() : 0;
}

[[gnu::always_inline]] inline SoughtPlace sought_place(const Call& call, const CallSite& site,
                                                       uint64_t kernel) noexcept {
  return {site.return_address, site.frame, readable_top(site.frame, call.thread->stack_top),
          call.python,         kernel,     static_cast<uint16_t>(site.key)};
}

// Combines the kinds of memory on both sides of a copy into one number.
[[gnu::always_inline]] inline uint16_t kinds_of(const Call& call) noexcept {
  return static_cast<uint16_t>(static_cast<unsigned>(call.src) << 8 | static_cast<unsigned>(call.dst));
}

inline uint32_t short_ns(uint64_t ns) noexcept { return ns < UINT32_MAX ? static_cast<uint32_t>(ns) : UINT32_MAX; }

// Sets call.place and call.stack to where the call came from.
[[gnu::hot, gnu::noinline]] void find_place(Call& call, const CallSite& site) noexcept;
[[gnu::noinline]] CallPlace& find_other_place(ThreadState& thread, const SoughtPlace& sought) noexcept;
// The same if call.python is already known; inlined, since another function call would be too slow there.
[[gnu::always_inline]] inline void find_place_here(Call& call, const CallSite& site, uint64_t kernel = 0) noexcept {
  const bool in_place = kernel != 0 && !call.thread->places.is_crowded();
  const SoughtPlace sought = sought_place(call, site, in_place ? kernel : 0);
  CallPlace* const expected = call.thread->places.expected(sought);
  call.place = __builtin_expect(expected != nullptr, 1) ? expected : &find_other_place(*call.thread, sought);
  call.stack = call.place->stack;
}

// Prefetches the records that the call will be counted in, while it runs.
inline void fetch_records(const Call& call) noexcept {
  __builtin_prefetch(call.place->counted, 1);
  __builtin_prefetch(call.thread->burst, 1);
}

// Counts the call with those of its kind, from its place and with the same `object`.
void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept;
// The record for that; nullptr: the trace is full. `kinds` distinguishes calls from the same place.
[[gnu::cold, gnu::noinline]] trace::SiteCountRecord* site_record(Call& call, const CallSite& site, uint64_t object,
                                                                 uint32_t kinds) noexcept;

// Adds the call to its thread's burst: what it has enqueued since it last waited.
void add_to_burst(Call& call, Enqueues what, uint64_t end_ns) noexcept;
// Opens a burst with a call that began at `begin_ns`; nullptr: the trace is full.
[[gnu::noinline]] trace::BurstRecord* open_burst(ThreadState& thread, uint64_t begin_ns, uint32_t stack) noexcept;
// Ends the thread's burst, because of something that began at `begin_ns`.
void close_burst(ThreadState& thread, uint64_t begin_ns) noexcept;

// Writes a record for this call alone; nullptr: the trace is full.
trace::CallRecord* list_call(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                             uint64_t end_ns) noexcept;
uint8_t flags_of(const Call& call, const ApiInfo& info, int result) noexcept;

// Writes the idle interval that this call's enqueueing has ended.
[[gnu::cold, gnu::noinline]] void write_idle(Call& call) noexcept;

}  // namespace syncsniff::shim
