// Records launches, memsets and copies, and the modules that a library looks up for a launch.
#include "runtime/shim/copies.h"
#include "runtime/shim/cupti_switch.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/polls.h"
#include "runtime/shim/records.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

// A copy or a graph launch is listed, as well as counted, if its place had no calls for this long: programs that never
// wait have nothing else that shows when their steps were. Takes 64 bytes of trace each.
constexpr uint64_t kListedApartNs = 200000;

bool is_far_from_last(const Call& call, const CallSite& site, Enqueues what) noexcept {
  if (__builtin_expect(what != Enqueues::kCopyWork && site.api() != kApi_cuGraphLaunch, 1)) return false;
  const trace::SiteCountRecord* const counted = call.place->counted;
  return counted != nullptr && call.begin_ns - counted->last_ns >= kListedApartNs;
}

[[gnu::cold, gnu::noinline]] void list_load(const CallSite& site, uint64_t begun, int result) noexcept {
  const uint64_t took_ns = ns_since(begun);
  if (took_ns < kListedNs) return;
  Call call;
  if (!start_call(call, site, 0, false)) return;
  const uint64_t end_ns = call.begin_ns;  // it starts here, after the real call
  call.begin_ns -= took_ns;
  close_poll(*call.thread);
  find_place(call, site);
  call.work.capturing = false;
  call.work.device = current_device(*call.thread);
  list_call(call, site, 0, flags_of(call, kApis[site.api()], result), result, end_ns);
  close_burst(*call.thread);
  leave();
}

// Starts a call that enqueues work; its place must be set afterwards.
[[gnu::always_inline]] inline bool start_work(Call& call, const CallSite& site, uint64_t stream,
                                              bool per_thread) noexcept {
  if (!start_call(call, site, stream, per_thread)) return count_nested_work(stream, per_thread), false;
  begin_work(*call.thread, stream, per_thread, call.begin_ns, call.work);
  return true;
}

// Without waits, a burst would last for the whole run: a listed call begins a new one if the present one holds the last
// call from its place. In programs that wait in each step, a burst ends before that.
void begin_round(const Call& call) noexcept {
  const trace::BurstRecord* const burst = call.thread->burst;
  if (burst != nullptr && burst->first_begin_ns <= call.place->counted->last_ns) close_burst(*call.thread);
}

[[gnu::noinline]] SYNCSNIFF_IN_HOOK void list_work(Call& call, const CallSite& site, uint64_t object, bool shows_a_step,
                                                   int result, uint64_t end_ns) noexcept {
  const uint8_t flags = flags_of(call, kApis[site.api()], result);
  list_call(call, site, object, shows_a_step ? flags : flags | trace::kInWindow, result, end_ns);
}

[[gnu::always_inline]] inline void finish_work(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                               int result) noexcept {
  ThreadState& thread = *call.thread;
  end_work(thread, call.begin_ns, call.work);
  const uint64_t end_ns = thread.clock.now_ns();
  close_poll(thread);
  if (__builtin_expect(call.work.ends_idle, 0)) write_idle(call);
  const bool shows_a_step = is_far_from_last(call, site, what);
  if (__builtin_expect(shows_a_step, 0)) begin_round(call);
  count_site(call, site, object, end_ns);
  add_to_burst(call, what, end_ns);
  if (__builtin_expect(shows_a_step || lists_every_call(), 0))
    list_work(call, site, object, shows_a_step, result, end_ns);
  leave();
}

}  // namespace

// A launch runs most of what these two functions call, so it is inlined into them.
[[gnu::flatten]] SYNCSNIFF_IN_HOOK bool begin_enqueue(Call& call, const CallSite& site, uint64_t stream,
                                                      bool per_thread, uint64_t object) noexcept {
  if (!start_work(call, site, stream, per_thread)) return false;
  // A program may create a new graph for each launch, so the graph's handle is not part of the place.
  find_usual_place(call, site, site.api() == kApi_cuGraphLaunch ? 0 : object);
  fetch_records(call);
  return true;
}

[[gnu::flatten]] SYNCSNIFF_IN_HOOK void end_enqueue(Call& call, const CallSite& site, uint64_t object, Enqueues what,
                                                    int result) noexcept {
  if (__builtin_expect(has_no_record(what), 0) && call.work.active)
    count_unrecorded(call.thread->enqueuer->of[call.work.device]);
  finish_work(call, site, object, what, result);
}

SYNCSNIFF_IN_HOOK uint64_t begin_load() noexcept { return recording() ? moment() : 0; }

SYNCSNIFF_IN_HOOK void end_load(const CallSite& site, uint64_t begun, int result) noexcept {
  if (__builtin_expect(begun != 0 && !is_shorter(begun, kListedNs), 0)) list_load(site, begun, result);
}

SYNCSNIFF_IN_HOOK bool begin_copy(WaitingCall& call, const CallSite& site, uint64_t stream, bool per_thread,
                                  const uint64_t* words) noexcept {
  if (!start_work(call, site, stream, per_thread)) return false;
  const CopyShape shape = shape_of_copy(kApis[site.api()], words);
  call.src = shape.src;
  call.dst = shape.dst;
  call.bytes = shape.bytes;
  call.blocked = shape.blocks && !call.work.capturing;
  call.sent.sampled = false;
  if (__builtin_expect(lists_every_call(), 0)) sample_sent(call.sent, *call.thread, kApis[site.api()], shape, words);
  if (call.blocked) {
    find_place(call, site, kinds_of(call));
    call.works = true;
    if (shape.covers_self) {
      call.waits = true;
      begin_own_wait(*call.thread, stream, per_thread, call.wait);
    }
  } else {
    find_usual_place(call, site, kinds_of(call));
  }
  fetch_records(call);
  return true;
}

SYNCSNIFF_IN_HOOK void end_copy(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  if (__builtin_expect(call.sent.sampled, 0) && result == 0) write_sent(call.sent, *call.thread, call.begin_ns);
  if (call.blocked) return end_call<Watched::kWait>(call, site, words, result);
  finish_work(call, site, 0, Enqueues::kCopyWork, result);
}

}  // namespace syncsniff::shim
