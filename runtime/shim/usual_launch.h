// The fast path for launches and memsets, inlined into the wrapper. A step of training makes several hundred, at 5 us
// each, and the program's own work in between evicts the caches: the hook costs as much as the cache lines and pages
// that it fetches, of code and of data. So this path is straight, calls nothing and keeps its values in registers, and
// the data that it touches is contiguous (ThreadState, Recording). Everything unusual is done from the start in
// launch.cpp.
#pragma once

#include <cstdint>

#include "runtime/shim/enqueuers.h"
#include "runtime/shim/record.h"
#include "runtime/shim/records.h"
#include "runtime/shim/streams.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {

// Reading the counter is a quarter of a hook's cost (100 ticks of 400, twice a launch, in a virtual machine). So
// thirty-one of thirty-two launches are not timed if they are like the ones before: they count as long as the last
// timed one from the same place. Launches that open or end a burst, or may end an idle time, are always timed.
inline constexpr unsigned kLeastUntimed = 24;
// Here and below the clock's last digits decide, so that no rhythm of the program can avoid being timed for long. For
// the same reason, nothing that the program does may restart the count.
[[gnu::always_inline]] inline void count_towards_timed(ThreadState& thread, uint64_t now_ns) noexcept {
  thread.until_timed =
      static_cast<uint16_t>(thread.until_timed != 0 ? thread.until_timed - 1 : kLeastUntimed + (now_ns & 15));
}
// A launch that is timed because it is its turn has its whole stack compared; of the others that are timed, one in so
// many.
inline constexpr uint64_t kOpeningInWhole = 4;
inline bool is_looked_at_whole(uint64_t begin_ns, uint64_t of) noexcept { return (begin_ns & (of - 1)) == 0; }

struct UsualLaunch {
  ThreadState* thread;
  CallPlace* trusted;  // as in Call
  uint64_t begin_ns;   // 0: not timed
  uint64_t innermost;  // as in Call; 0: no Python
  uint32_t device;
};

// In launch.cpp. expect_place() sets call.trusted from the Python frames, before the call (`in_whole`: to nullptr,
// whatever place is expected). end_unusual_launch() handles what end_usual_launch() did not.
[[gnu::noinline]] void expect_place(Call& call, bool in_whole) noexcept;
[[gnu::noinline]] void end_unusual_launch(const UsualLaunch& launch, Call& call, const CallSite& site, uint64_t stream,
                                          bool per_thread, uint64_t object, Enqueues what, int result) noexcept;
// The place of a launch that was not from the expected one, such as at the end of a loop's body; nullptr: not known.
[[gnu::noinline]] CallPlace* other_place(const UsualLaunch& launch, const CallSite& site, uint64_t object) noexcept;

// To be called before the real call. Returns false if nothing was done, and begin_enqueue() must be called. `call` gets
// the data of the Python frames.
[[gnu::always_inline]] inline bool begin_usual_launch(UsualLaunch& launch, Call& call, const CallSite& site,
                                                      uint64_t stream, bool per_thread) noexcept {
  ThreadState* const thread = t_slot.state;
  if (__builtin_expect(
          !recording() || lists_every_call() || !trace_file().writable() || t_slot.frame != 0 || thread == nullptr, 0))
    return false;
  StreamState* const state = thread->last_stream_if(tag_of(stream, per_thread));
  if (__builtin_expect(state == nullptr || state->capturing.load(std::memory_order_relaxed), 0)) return false;
  mark_inside(site.return_address, site.frame);
  const uint32_t device = state->device;
  launch.thread = thread;
  launch.device = device;
  launch.begin_ns = 0;
  bool in_whole = false;
  if (thread->until_timed == 0 || thread->burst == nullptr || may_be_idle(device)) {
    launch.begin_ns = thread->clock.now_ns();
    in_whole = thread->until_timed == 0 || is_looked_at_whole(launch.begin_ns, kOpeningInWhole);
  }
  count_begun(thread->enqueuer->of[device], launch.begin_ns);
  count_work(*state);
  if (g_recording.python) {
    call.thread = thread;
    expect_place(call, in_whole);
    launch.trusted = call.trusted;
    launch.innermost = call.innermost;
  } else {
    CallPlace* const expected = thread->places.expect();
    launch.trusted = in_whole ? nullptr : expected;
    launch.innermost = 0;
  }
  if (launch.begin_ns == 0 && (launch.trusted == nullptr || launch.trusted->ends_burst))
    launch.begin_ns = thread->clock.now_ns();
  return true;
}

[[gnu::always_inline]] inline bool is_from_usual(const CallPlace& place, const CallSite& site,
                                                 uint64_t object) noexcept {
  if (!is_trusted(place, site.return_address, site.frame, static_cast<uint16_t>(site.key), object, 0)) return false;
  if (place.own_frames == 0) return true;
  return __builtin_expect(place.own_frames == kHashRows, 1) ? has_first_own_words(place, site.frame)
                                                            : has_own_words(place, site.frame);
}

// To be called after the real call. Returns false if nothing was done, and end_unusual_launch() must be called.
// `object`: the kernel; for a memset 0.
template <Enqueues kWhat>
[[gnu::always_inline]] inline bool end_usual_launch(const UsualLaunch& launch, const CallSite& site,
                                                    uint64_t object) noexcept {
  ThreadState& thread = *launch.thread;
  CallPlace* place = launch.trusted;
  if (__builtin_expect(place == nullptr || thread.asks != 0 || may_be_idle(launch.device), 0)) return false;
  if (__builtin_expect(!is_from_usual(*place, site, object), 0)) {
    place = other_place(launch, site, object);
    if (place == nullptr) return false;
  }
  // There is no burst if a copy has closed the one before.
  if (__builtin_expect(thread.burst == nullptr, 0) &&
      (launch.begin_ns == 0 || open_burst(thread, launch.begin_ns, place->stack) == nullptr))
    return false;
  trace::SiteCountRecord& record = *place->counted;
  trace::BurstRecord& burst = *thread.burst;
  uint64_t took_ns = place->took_ns;
  if (launch.begin_ns != 0) {
    const uint64_t end_ns = thread.clock.now_ns();
    took_ns = end_ns - launch.begin_ns;
    place->took_ns = short_ns(took_ns);
    record.last_ns = burst.last_end_ns = end_ns;
    thread.untimed = 0;
    count_towards_timed(thread, end_ns);
  } else {
    ++thread.untimed;
    --thread.until_timed;
    thread.last_untimed = place;
  }
  thread.places.go_on(place);
  record.total_ns += took_ns;
  record.count += 1;
  burst.in_calls_ns += took_ns;
  (kWhat == Enqueues::kKernel ? burst.launches : burst.others) += 1;
  burst.last_stack = place->stack;
  count_finished(thread.enqueuer->of[launch.device]);
  leave();
  return true;
}

}  // namespace syncsniff::shim
