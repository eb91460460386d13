// The records that a call leaves in the trace, whichever of record.cpp and launch.cpp watched it.
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

// Calls that seldom take time (a handle, a cached look-up) are listed one by one from here on.
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

// The kinds of memory on both sides of a copy, as one number.
[[gnu::always_inline]] inline uint16_t kinds_of(const Call& call) noexcept {
  return static_cast<uint16_t>(static_cast<unsigned>(call.src) << 8 | static_cast<unsigned>(call.dst));
}

inline uint32_t short_ns(uint64_t ns) noexcept { return ns < UINT32_MAX ? static_cast<uint32_t>(ns) : UINT32_MAX; }

// Sets call.place and call.stack: where it was called from.
[[gnu::hot, gnu::noinline]] void find_place(Call& call, const CallSite& site) noexcept;
[[gnu::noinline]] CallPlace& find_other_place(ThreadState& thread, const SoughtPlace& sought) noexcept;
// The same where call.python is known, and a call more would be one too many.
[[gnu::always_inline]] inline void find_place_here(Call& call, const CallSite& site, uint64_t kernel = 0) noexcept {
  const bool in_place = kernel != 0 && !call.thread->places.is_crowded();
  const SoughtPlace sought = sought_place(call, site, in_place ? kernel : 0);
  CallPlace* const expected = call.thread->places.expected(sought);
  call.place = __builtin_expect(expected != nullptr, 1) ? expected : &find_other_place(*call.thread, sought);
  call.stack = call.place->stack;
}

// What the call will be counted in comes into the cache while it runs.
inline void fetch_records(const Call& call) noexcept {
  __builtin_prefetch(call.place->counted, 1);
  __builtin_prefetch(call.thread->burst, 1);
}

// Adds the call to the calls of its kind, from its place and of `object`.
void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept;
// The record for that; nullptr: the trace takes no more. `kinds` tells apart what the place alone does not.
[[gnu::cold, gnu::noinline]] trace::SiteCountRecord* site_record(Call& call, const CallSite& site, uint64_t object,
                                                                 uint32_t kinds) noexcept;

// Adds the call to what its thread has enqueued since it last waited.
void add_to_burst(Call& call, Enqueues what, uint64_t end_ns) noexcept;
// The record for that, new, of a call that began at `begin_ns`; nullptr: the trace takes no more.
[[gnu::noinline]] trace::BurstRecord* open_burst(ThreadState& thread, uint64_t begin_ns, uint32_t stack) noexcept;
// What comes next belongs to another burst, because of something that began at `begin_ns`.
void close_burst(ThreadState& thread, uint64_t begin_ns) noexcept;

// One record for this call alone; nullptr: the trace takes no more.
trace::CallRecord* list_call(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                             uint64_t end_ns) noexcept;
uint8_t flags_of(const Call& call, const ApiInfo& info, int result) noexcept;

// The idle time that this call's enqueueing has ended.
[[gnu::cold, gnu::noinline]] void write_idle(Call& call) noexcept;

}  // namespace syncsniff::shim
