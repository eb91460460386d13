// Records copies, launches and memsets that usual_launch.h does not handle, and the modules that a library looks up for
// a launch.
#include "runtime/shim/copies.h"
#include "runtime/shim/cupti_switch.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/polls.h"
#include "runtime/shim/records.h"
#include "runtime/shim/thread_state.h"
#include "runtime/shim/usual_launch.h"

namespace syncsniff::shim {
namespace {

// A copy or a graph launch from a place without calls for this long is listed as well as counted: this marks the steps
// of programs that never wait. Takes about 200 bytes of trace each.
constexpr uint64_t kMarkSpacingNs = 200000;
// How often the latest step mark before a place may change until the place no longer relies on it.
constexpr unsigned kMostSurprises = 7;
// Of copies, queries and unusual launches, one in so many has its whole stack compared.
constexpr uint64_t kInWhole = 32;

// True if exactly one step mark (a wait or another listed call), always the same one, has occurred since the thread's
// last call from this place. Then the steps are marked already. A mark that occurred more than once belongs to a loop
// within the step.
bool is_step_already_marked(CallPlace& place, const ThreadState& thread, uint64_t last_ns) noexcept {
  if (place.surprises == kMostSurprises) return false;
  if (thread.last_mark_ns <= last_ns || thread.last_repeated_mark_ns > last_ns) {
    place.surprises = kMostSurprises;
  } else if (thread.last_mark_stack != place.last_mark_stack) {
    place.last_mark_stack = thread.last_mark_stack;
    ++place.surprises;
  }
  return place.surprises != kMostSurprises;
}

bool marks_a_step(const Call& call, const CallSite& site, Enqueues what) noexcept {
  if (what != Enqueues::kCopyWork && site.api() != kApi_cuGraphLaunch) return false;
  const trace::SiteCountRecord* counted = call.place->counted;
  if (counted == nullptr || call.begin_ns - counted->last_ns < kMarkSpacingNs) return false;
  return !is_step_already_marked(*call.place, *call.thread, counted->last_ns);
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
  close_burst(*call.thread, call.begin_ns);
  leave();
}

// True if the call came from this place, as far as its stack was compared.
[[gnu::always_inline]] inline bool is_from(const CallPlace& place, const CallSite& site, uint64_t object,
                                           uint16_t kinds) noexcept {
  return is_trusted(place, site.return_address, site.frame, static_cast<uint16_t>(site.key), object, kinds) &&
         has_own_words(place, site.frame);
}

// Sets call.place and call.stack from the whole stack, whichever part of it was compared before the call.
void find_place_whole(Call& call, const CallSite& site, uint64_t kernel = 0) noexcept {
  if (call.trusted != nullptr || !g_recording.python) call.python = python_place();
  find_place_here(call, site, kernel);
}

// Returns a place that followed `before` earlier and matches this call; nullptr: there is none.
CallPlace* find_alike(const CallPlace& before, const Call& call, const CallSite& site, uint64_t object) noexcept {
  for (CallPlace* const next : before.following)
    if (next != nullptr && next->innermost_python == call.innermost && is_from(*next, site, object, kinds_of(call)))
      return next;
  return nullptr;
}

// Sets call.place and call.stack, whichever part of the stack was compared before the call.
SYNCSNIFF_IN_HOOK void find_place_of_launch(Call& call, const CallSite& site, uint64_t object) noexcept {
  PlaceCache& places = call.thread->places;
  CallPlace* const before = places.last();
  CallPlace* const alike = before != nullptr ? find_alike(*before, call, site, object) : nullptr;
  if (alike != nullptr && call.trusted != nullptr && alike->confirmed == kConfirmations) {
    // Another place follows at the end of a loop's body, or the device was idle until now.
    places.go_on(alike);
    call.place = alike;
    call.stack = alike->stack;
    return;
  }
  // A program may create a new graph for each launch, so the graph's handle is not part of the place.
  find_place_whole(call, site, site.api() == kApi_cuGraphLaunch ? 0 : object);
  if (alike != nullptr && alike != call.place) places.mark_fork(*before);
  if (call.innermost != 0) call.place->innermost_python = call.innermost;
}

void expect_place_mostly(Call& call) noexcept {
  expect_place(call, is_looked_at_whole(call.begin_ns, kInWhole) || lists_every_call());
}

[[gnu::noinline]] SYNCSNIFF_IN_HOOK void end_otherwise(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                                       int result) noexcept {
  ThreadState& thread = *call.thread;
  end_work(thread, call.begin_ns, call.work);
  const uint64_t end_ns = thread.clock.now_ns();
  close_poll(thread);
  find_place_of_launch(call, site, object);
  if (call.work.ends_idle) write_idle(call);
  const bool is_mark = marks_a_step(call, site, what);
  count_site(call, site, object, end_ns);
  call.place->took_ns = short_ns(end_ns - call.begin_ns);
  add_to_burst(call, what, end_ns);
  if (is_mark || lists_every_call()) {
    const uint8_t flags = flags_of(call, kApis[site.api()], result);
    list_call(call, site, object, is_mark ? flags : flags | trace::kInWindow, result, end_ns);
  }
  if (is_mark) {
    thread.mark_step(*call.place, end_ns);
    close_burst(thread, end_ns);
  }
  leave();
}

}  // namespace

// Called before the real call: the interpreter has just used the cache lines of its frames, and the driver will evict
// them.
SYNCSNIFF_IN_HOOK void expect_place(Call& call, bool in_whole) noexcept {
  const PlaceCache& places = call.thread->places;
  places.expect();
  call.innermost = g_recording.python ? innermost_python() : 0;
  call.trusted = in_whole ? nullptr : places.likely_next(call.innermost);
  if (__builtin_expect(call.trusted == nullptr, 0)) call.python = python_place();
}

SYNCSNIFF_IN_HOOK bool begin_enqueue(Call& call, const CallSite& site, uint64_t stream, bool per_thread) noexcept {
  call.thread = enter(site.return_address, site.frame);
  if (call.thread == nullptr) return count_nested_work(stream, per_thread), false;
  call.stream = stream;
  call.per_thread = per_thread;
  call.begin_ns = call.thread->clock.now_ns();
  begin_work(*call.thread, stream, per_thread, call.begin_ns, call.work);
  expect_place_mostly(call);
  return true;
}

SYNCSNIFF_IN_HOOK void end_enqueue(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                   int result) noexcept {
  call.bytes = 0;
  call.waits = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  if (call.work.active && has_no_record(what)) count_unrecorded(call.thread->enqueuer->of[call.work.device]);
  end_otherwise(call, site, object, what, result);
}

SYNCSNIFF_IN_HOOK CallPlace* other_place(const UsualLaunch& launch, const CallSite& site, uint64_t object) noexcept {
  CallPlace* const other = launch.thread->places.other_next(launch.trusted, launch.innermost);
  if (other == nullptr || (launch.begin_ns == 0 && other->ends_burst)) return nullptr;
  return is_from(*other, site, object, 0) ? other : nullptr;
}

void end_unusual_launch(const UsualLaunch& launch, Call& call, const CallSite& site, uint64_t stream, bool per_thread,
                        uint64_t object, Enqueues what, int result) noexcept {
  call.thread = launch.thread;
  call.stream = stream;
  call.per_thread = per_thread;
  call.begin_ns = launch.begin_ns;
  if (call.begin_ns == 0) call.begin_ns = launch.thread->clock.now_ns() - launch.trusted->took_ns;
  count_towards_timed(*call.thread, call.begin_ns);
  call.trusted = launch.trusted;
  if (!g_recording.python) call.innermost = 0;
  call.work.device = launch.device;
  call.work.active = true;
  call.work.capturing = call.work.ends_idle = false;
  end_enqueue(call, site, object, what, result);
}

SYNCSNIFF_IN_HOOK uint64_t begin_load() noexcept { return recording() ? moment() : 0; }

SYNCSNIFF_IN_HOOK void end_load(const CallSite& site, uint64_t begun, int result) noexcept {
  if (__builtin_expect(begun != 0 && !is_shorter(begun, kListedNs), 0)) list_load(site, begun, result);
}

SYNCSNIFF_IN_HOOK void find_place_of_poll(Call& call, const CallSite& site) noexcept {
  expect_place_mostly(call);
  find_place_of_launch(call, site, 0);
}

SYNCSNIFF_IN_HOOK bool begin_copy(WaitingCall& call, const CallSite& site, uint64_t stream, bool per_thread,
                                  const uint64_t* words) noexcept {
  if (!begin_enqueue(call, site, stream, per_thread)) return false;
  call.waits = false;
  const CopyShape shape = shape_of_copy(kApis[site.api()], words);
  call.src = shape.src;
  call.dst = shape.dst;
  call.bytes = shape.bytes;
  call.blocked = shape.blocks && !call.work.capturing;
  call.sent.sampled = false;
  if (__builtin_expect(lists_every_call(), 0)) sample_sent(call.sent, *call.thread, kApis[site.api()], shape, words);
  if (!call.blocked) return true;
  // A wait's stack is read before the call, while the device still works, and is compared whole.
  find_place_whole(call, site);
  call.works = true;
  if (shape.covers_self) {
    call.waits = true;
    begin_own_wait(*call.thread, stream, per_thread, call.wait);
  }
  fetch_records(call);
  return true;
}

SYNCSNIFF_IN_HOOK void end_copy(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  if (__builtin_expect(call.sent.sampled, 0) && result == 0) write_sent(call.sent, *call.thread, call.begin_ns);
  if (call.blocked) return end_call<Watched::kWait>(call, site, words, result);
  end_otherwise(call, site, 0, Enqueues::kCopyWork, result);
}

}  // namespace syncsniff::shim
