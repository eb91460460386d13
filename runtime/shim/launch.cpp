// Around a launch or a copy, and around what a library looks up for one. A step of training makes some hundred, at 5 us
// each, and the program's own work in between takes the caches: what these cost is the lines of code and data that they
// fetch. So they are straight, whatever happens seldom lies elsewhere, and what they touch lies together (ThreadState).
#include "runtime/shim/copies.h"
#include "runtime/shim/polls.h"
#include "runtime/shim/records.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

// A copy or a graph's launch from a place that was quiet for so long is listed as well as counted: steps that wait for
// nothing are known by it. Some 200 bytes of trace each.
constexpr uint64_t kMarkSpacingNs = 200000;

bool marks_a_step(const Call& call, const CallSite& site, Enqueues what) noexcept {
  if (__builtin_expect(what != Enqueues::kCopyWork && site.api() != kApi_cuGraphLaunch, 1)) return false;
  const trace::SiteCountRecord* counted = call.place->counted;
  return counted != nullptr && call.begin_ns - counted->last_ns >= kMarkSpacingNs;
}

[[gnu::cold, gnu::noinline]] void list_load(Call& call, const CallSite& site, int result, uint64_t end_ns) noexcept {
  close_poll(*call.thread);
  find_place(call, site);
  call.stream = call.bytes = 0;
  call.per_thread = call.waits = call.blocked = call.work.capturing = false;
  call.work.device = current_device(*call.thread);
  call.src = call.dst = trace::HostMemory::kUnknown;
  list_call(call, site, 0, flags_of(call, kApis[site.api()], result), result, end_ns);
  call.thread->burst = nullptr;
}

// One call of sixteen, by the clock's last digits: a turn that no rhythm of the program can miss for long.
[[gnu::always_inline]] inline bool is_looked_at_whole(const Call& call) noexcept { return (call.begin_ns & 15) == 0; }

// The call was from this place, as far as that is looked at.
[[gnu::always_inline]] inline bool is_from(const CallPlace& place, const Call& call, const CallSite& site,
                                           uint64_t object) noexcept {
  return is_trusted(place, sought_place(call, site), object, kinds_of(call));
}

// What may be taken for the place of a call that is as calls mostly are; nullptr: its stack is looked at whole.
[[gnu::always_inline]] inline CallPlace* usual_place(const Call& call, const CallSite& site, uint64_t object) noexcept {
  const ThreadState& thread = *call.thread;
  const bool usual =
      call.trusted != nullptr && thread.burst != nullptr && thread.poll.asks == 0 && !call.work.ends_idle;
  if (__builtin_expect(!usual, 0)) return nullptr;
  if (__builtin_expect(is_from(*call.trusted, call, site, object), 1)) return call.trusted;
  // A loop's body goes round or ends.
  CallPlace* const other = thread.places.likely_next(call.innermost, call.trusted);
  return other != nullptr && is_from(*other, call, site, object) ? other : nullptr;
}

// Sets call.place and call.stack by all of the stack, whatever was looked at before the call.
[[gnu::always_inline]] inline void find_place_whole(Call& call, const CallSite& site) noexcept {
  if (call.trusted != nullptr) call.python = python_place();
  find_place_here(call, site);
}

// What came after `before` and would be taken for this call's place, were it not looked at whole.
[[gnu::always_inline]] inline const CallPlace* find_alike(const CallPlace& before, const Call& call,
                                                          const CallSite& site, uint64_t object) noexcept {
  for (const CallPlace* const next : before.following)
    if (next != nullptr && next->innermost_python == call.innermost && is_from(*next, call, site, object)) return next;
  return nullptr;
}

// Whatever is not as it mostly is.
[[gnu::noinline]] void end_otherwise(Call& call, const CallSite& site, uint64_t object, Enqueues what, int result,
                                     uint64_t end_ns) noexcept {
  ThreadState& thread = *call.thread;
  close_poll(thread);
  CallPlace* const before = thread.places.last();
  const CallPlace* const alike = before != nullptr ? find_alike(*before, call, site, object) : nullptr;
  find_place_whole(call, site);
  if (alike != nullptr && alike != call.place) before->is_fork = true;
  if (call.innermost != 0) call.place->innermost_python = call.innermost;
  if (call.work.ends_idle) write_idle(call);
  const bool is_mark = marks_a_step(call, site, what);
  count_site(call, site, object, end_ns);
  add_to_burst(call, what, end_ns);
  if (is_mark || g_recording.full_timeline) {
    list_call(call, site, object, flags_of(call, kApis[site.api()], result), result, end_ns);
    if (!g_recording.full_timeline) thread.burst = nullptr;
  }
  leave();
}

}  // namespace

[[gnu::hot, gnu::flatten]] bool begin_launch(Call& call, const CallSite& site, uint64_t stream,
                                             bool per_thread) noexcept {
  ThreadState* const thread = enter(site.return_address, site.frame);
  if (__builtin_expect(thread == nullptr, 0)) return pass_work(stream, per_thread), false;
  call.thread = thread;
  call.place = nullptr;
  call.stream = stream;
  call.bytes = 0;
  call.per_thread = per_thread;
  call.waits = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  call.begin_ns = thread->clock.now_ns();
  begin_work(*thread, stream, per_thread, call.begin_ns, call.work);
  thread->places.expect();
  call.python = 0;
  // Before the call: the interpreter has just had the lines of its frames, the driver takes the cache for its own.
  call.innermost = __builtin_expect(g_recording.python, 0) ? innermost_python() : 0;
  const bool in_whole = is_looked_at_whole(call) || g_recording.full_timeline;
  call.trusted = in_whole ? nullptr : thread->places.likely_next(call.innermost);
  if (__builtin_expect(call.trusted == nullptr, 0)) call.python = python_place();
  return true;
}

[[gnu::hot, gnu::flatten]] void end_launch(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                           int result) noexcept {
  ThreadState& thread = *call.thread;
  end_work(thread, call.begin_ns, call.work);
  const uint64_t end_ns = thread.clock.now_ns();
  CallPlace* const place = call.place = usual_place(call, site, object);
  if (__builtin_expect(place == nullptr || marks_a_step(call, site, what), 0))
    return end_otherwise(call, site, object, what, result, end_ns);
  thread.places.go_on(place);
  call.stack = place->stack;
  place->counted->bytes += call.bytes;
  add_call(*place->counted, call, end_ns);
  add_to_burst(call, what, end_ns);
  leave();
}

[[gnu::hot, gnu::flatten]] bool begin_load(Call& call, const CallSite& site) noexcept {
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return false;
  call.begin_ns = call.thread->clock.now_ns();
  return true;
}

[[gnu::hot, gnu::flatten]] void end_load(Call& call, const CallSite& site, int result) noexcept {
  const uint64_t end_ns = call.thread->clock.now_ns();
  if (__builtin_expect(end_ns - call.begin_ns >= kListedNs, 0)) list_load(call, site, result, end_ns);
  leave();
}

[[gnu::hot]] bool begin_copy(Call& call, const CallSite& site, uint64_t stream, bool per_thread,
                             const uint64_t* words) noexcept {
  if (!begin_launch(call, site, stream, per_thread)) return false;
  const CopyShape shape = shape_of_copy(kApis[site.api()], words);
  call.src = shape.src;
  call.dst = shape.dst;
  call.bytes = shape.bytes;
  call.blocked = shape.blocks && !call.work.capturing;
  if (!call.blocked) return true;
  // A wait's stack is taken before it, while the device still works, and is looked at whole.
  find_place_whole(call, site);
  call.works = true;
  if (shape.covers_self) {
    call.waits = true;
    begin_own_wait(*call.thread, stream, per_thread, call.wait);
  }
  fetch_records(call);
  return true;
}

[[gnu::hot]] void end_copy(Call& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  if (call.blocked) return end_call<Watched::kWait>(call, site, words, result);
  end_launch(call, site, 0, Enqueues::kCopyWork, result);
}

}  // namespace syncsniff::shim
