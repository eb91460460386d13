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
  if (what != Enqueues::kCopyWork && site.api() != kApi_cuGraphLaunch) return false;
  const trace::SiteCountRecord* counted = call.place->counted;
  return counted != nullptr && call.begin_ns - counted->last_ns >= kMarkSpacingNs;
}

[[gnu::cold, gnu::noinline]] void list_load(const CallSite& site, uint64_t begun, int result) noexcept {
  const uint64_t took_ns = ns_since(begun);
  if (took_ns < kListedNs) return;
  Call call;
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return;
  const uint64_t end_ns = call.thread->clock.now_ns();
  call.begin_ns = end_ns - took_ns;
  close_poll(*call.thread);
  find_place(call, site);
  call.stream = call.bytes = 0;
  call.per_thread = call.waits = call.blocked = call.work.capturing = false;
  call.work.device = current_device(*call.thread);
  call.src = call.dst = trace::HostMemory::kUnknown;
  list_call(call, site, 0, flags_of(call, kApis[site.api()], result), result, end_ns);
  call.thread->burst = nullptr;
  leave();
}

// One call of sixteen, by the clock's last digits: a turn that no rhythm of the program can miss for long.
[[gnu::always_inline]] inline bool is_looked_at_whole(const Call& call) noexcept { return (call.begin_ns & 15) == 0; }

// The call was from this place, as far as that is looked at.
[[gnu::always_inline]] inline bool is_from(const CallPlace& place, const Call& call, const CallSite& site,
                                           uint64_t object, uint16_t kinds) noexcept {
  return is_trusted(place, site.return_address, site.frame, static_cast<uint16_t>(site.key), call.thread->stack_top,
                    object, kinds) &&
         has_own_words(place, site.frame);
}

// Before the call: the interpreter has just had the lines of its frames, the driver takes the cache for its own.
[[gnu::noinline]] bool expect_place(Call& call) noexcept {
  PlaceCache& places = call.thread->places;
  places.expect();
  call.innermost = g_recording.python ? innermost_python() : 0;
  const bool in_whole = is_looked_at_whole(call) || g_recording.full_timeline;
  call.trusted = in_whole ? nullptr : places.likely_next(call.innermost);
  if (__builtin_expect(call.trusted == nullptr, 0)) call.python = python_place();
  return true;
}

// Sets call.place and call.stack by all of the stack, whatever was looked at before the call.
void find_place_whole(Call& call, const CallSite& site) noexcept {
  if (call.trusted != nullptr || !g_recording.python) call.python = python_place();
  find_place_here(call, site);
}

// What came after `before` and may be taken for this call's place.
CallPlace* find_alike(const CallPlace& before, const Call& call, const CallSite& site, uint64_t object) noexcept {
  for (CallPlace* const next : before.following)
    if (next != nullptr && next->innermost_python == call.innermost &&
        is_from(*next, call, site, object, kinds_of(call)))
      return next;
  return nullptr;
}

// Sets call.place and call.stack, whatever was looked at before the call. What ends an idle time is looked at whole.
void find_place_of_launch(Call& call, const CallSite& site, uint64_t object) noexcept {
  PlaceCache& places = call.thread->places;
  CallPlace* const before = places.last();
  CallPlace* const alike = before != nullptr ? find_alike(*before, call, site, object) : nullptr;
  if (alike != nullptr && call.trusted != nullptr && !call.work.ends_idle && alike->confirmed == kConfirmations) {
    // A loop's body goes round or ends.
    places.go_on(alike);
    call.place = alike;
    call.stack = alike->stack;
    return;
  }
  find_place_whole(call, site);
  if (alike != nullptr && alike != call.place) before->is_fork = true;
  if (call.innermost != 0) call.place->innermost_python = call.innermost;
}

// Whatever is not as it mostly is: from where the thread is known to be inside the hook, and from the start.
[[gnu::noinline]] bool begin_inside(Call& call, uint64_t stream, bool per_thread) noexcept {
  call.stream = stream;
  call.per_thread = per_thread;
  call.begin_ns = call.thread->clock.now_ns();
  begin_work(*call.thread, stream, per_thread, call.begin_ns, call.work);
  return expect_place(call);
}
[[gnu::noinline]] bool begin_otherwise(Call& call, const CallSite& site, uint64_t stream, bool per_thread) noexcept {
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return pass_work(stream, per_thread), false;
  return begin_inside(call, stream, per_thread);
}

[[gnu::noinline]] void end_otherwise(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                     int result) noexcept {
  ThreadState& thread = *call.thread;
  end_work(thread, call.begin_ns, call.work);
  const uint64_t end_ns = thread.clock.now_ns();
  close_poll(thread);
  find_place_of_launch(call, site, object);
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

[[gnu::always_inline]] inline void end_usually(const Call& call, CallPlace& place, uint64_t end_ns) noexcept {
  ThreadState& thread = *call.thread;
  end_usual_work(thread, call.work);
  thread.places.go_on(&place);
  add_call(*place.counted, call, end_ns);
  add_to_burst(*thread.burst, Enqueues::kKernel, place.stack, call.begin_ns, end_ns);
  leave();
}

// end_launch() where more than four frames are the user's own.
[[gnu::hot, gnu::noinline]] void end_deep(Call& call, const CallSite& site, uint64_t object, int result,
                                          uint64_t end_ns) noexcept {
  CallPlace& place = *call.trusted;
  if (__builtin_expect(!has_own_words(place, site.frame), 0))
    return end_enqueue(call, site, object, Enqueues::kKernel, result);
  end_usually(call, place, end_ns);
}

}  // namespace

// These two as launches mostly are. There is no call in them but the last thing that is done, so that they need no room
// on the stack; and what is not as usual is done from its start elsewhere, nothing having been changed.
[[gnu::hot, gnu::flatten]] bool begin_launch(Call& call, const CallSite& site, uint64_t stream,
                                             bool per_thread) noexcept {
  ThreadState* const thread = t_slot.state;
  if (__builtin_expect(!recording() || !trace_file().writable() || t_slot.frame != 0 || thread == nullptr, 0))
    return begin_otherwise(call, site, stream, per_thread);
  t_slot.return_address = site.return_address;
  t_slot.frame = site.frame;
  call.thread = thread;
  StreamState* const usual = usual_stream(*thread, stream, per_thread);
  uint64_t begin_ns;
  if (__builtin_expect(usual == nullptr || !thread->clock.knows_ns(begin_ns), 0))
    return begin_inside(call, stream, per_thread);
  begin_usual_work(*thread, *usual, begin_ns, call.work);
  call.stream = stream;
  call.per_thread = per_thread;
  call.begin_ns = begin_ns;
  if (g_recording.python || g_recording.full_timeline) return expect_place(call);
  call.innermost = 0;
  CallPlace* const expected = thread->places.expect();
  call.trusted = is_looked_at_whole(call) ? nullptr : expected;
  return true;
}

[[gnu::hot, gnu::flatten]] void end_launch(Call& call, const CallSite& site, uint64_t object, int result) noexcept {
  const ThreadState& thread = *call.thread;
  CallPlace* const place = call.trusted;
  if (__builtin_expect(place == nullptr || thread.burst == nullptr || thread.poll.asks != 0, 0))
    return end_enqueue(call, site, object, Enqueues::kKernel, result);
  uint64_t end_ns;
  if (__builtin_expect(!thread.clock.knows_ns(end_ns) || !ends_usual_work(call.work) ||
                           !is_trusted(*place, site.return_address, site.frame, static_cast<uint16_t>(site.key),
                                       thread.stack_top, object, 0),
                       0))
    return end_enqueue(call, site, object, Enqueues::kKernel, result);
  if (place->own_frames != 0) {
    if (place->own_frames != kHashRows) return end_deep(call, site, object, result, end_ns);
    if (__builtin_expect(!has_first_own_words(*place, site.frame), 0))
      return end_enqueue(call, site, object, Enqueues::kKernel, result);
  }
  end_usually(call, *place, end_ns);
}

void end_enqueue(Call& call, const CallSite& site, uint64_t object, Enqueues what, int result) noexcept {
  call.bytes = 0;
  call.waits = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  end_otherwise(call, site, object, what, result);
}

[[gnu::hot]] uint64_t begin_load() noexcept { return recording() ? moment() : 0; }

[[gnu::hot]] void end_load(const CallSite& site, uint64_t begun, int result) noexcept {
  if (__builtin_expect(begun != 0 && !is_shorter(begun, kListedNs), 0)) list_load(site, begun, result);
}

[[gnu::hot]] bool begin_copy(WaitingCall& call, const CallSite& site, uint64_t stream, bool per_thread,
                             const uint64_t* words) noexcept {
  if (!begin_launch(call, site, stream, per_thread)) return false;
  call.waits = false;
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

[[gnu::hot]] void end_copy(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  if (call.blocked) return end_call<Watched::kWait>(call, site, words, result);
  end_otherwise(call, site, 0, Enqueues::kCopyWork, result);
}

}  // namespace syncsniff::shim
