#include "runtime/shim/record.h"

#include "runtime/shim/allocations.h"
#include "runtime/shim/api_info.h"
#include "runtime/shim/arguments.h"
#include "runtime/shim/cupti_switch.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/events.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/polls.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/records.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"

namespace syncsniff::shim {
namespace {

using trace::CallClass;

// In a wait that is longer, the hook's own time is less than a hundredth.
constexpr uint64_t kShortWaitNs = 25000;

// Marks in a stream: neither work nor waits.
template <Watched kKind>
inline constexpr bool kIsMark = kKind == Watched::kEventRecord || kKind == Watched::kStreamWait;

template <Watched kKind>
bool is_work(const ApiInfo& info) noexcept {
  return kKind == Watched::kRest && info.enqueues != Enqueues::kNothing && !is_mark(info);
}

bool start(Call& call, const CallSite& site, uint64_t stream) noexcept {
  if (!start_call(call, site, stream, slot_of(site.api(), site.slot()).per_thread)) return false;
  call.work.active = call.work.capturing = call.work.ends_idle = false;
  call.work.device = current_device(*call.thread);
  return true;
}

// True for calls that concern handles or marks: a step makes dozens that take no time, so their place is looked up only
// if one does.
template <Watched kKind>
bool is_bookkeeping(const ApiInfo& info) noexcept {
  if constexpr (kKind == Watched::kRest) return info.call_class == CallClass::kOther && !is_work<kKind>(info);
  return kIsMark<kKind>;
}

// True for calls that may change the shim's tables of memory, streams and contexts.
template <Watched kKind>
inline constexpr bool kUpdatesTables = kKind == Watched::kRest;

// Opens an idle interval: the device is empty until somebody enqueues.
[[gnu::cold, gnu::noinline]] void claim_idle(WaitingCall& call, const CallSite& site, uint64_t wait_begin_ns,
                                             uint64_t end_ns) noexcept {
  trace::IdleRecord idle{};
  idle.type = static_cast<uint16_t>(trace::RecordType::kIdle);
  idle.wait_api = api_id(*call.thread, site.api());
  idle.wait_stack = call.stack;
  idle.device = call.wait.device;
  idle.begin_ns = end_ns;
  idle.wait_begin_ns = wait_begin_ns;
  idle.wait_tid = call.thread->tid;
  open_idle(call.wait, idle);
}

template <Watched kKind>
void prepare_wait(WaitingCall& call, const ApiInfo& info, const uint64_t* words) noexcept {
  call.waits = true;
  call.blocked = kKind == Watched::kWait;
  switch (info.waits_for) {
    case WaitsFor::kDevice:
      begin_device_wait(*call.thread, call.wait);
      break;
    case WaitsFor::kStream:
      begin_stream_wait(*call.thread, call.stream, call.per_thread, call.wait);
      break;
    case WaitsFor::kEvent:
      begin_event_wait(*call.thread, words[info.event_arg], call.wait);
      break;
    case WaitsFor::kNoWait:
      call.waits = false;
      return;
  }
  call.work.device = call.wait.device;
}

template <Watched kKind>
bool is_listed(const Call& call, const ApiInfo& info, uint64_t duration_ns) noexcept {
  if (kKind == Watched::kWait || call.blocked) return true;
  if (kKind == Watched::kPoll) return false;
  // Recorded in windows alone: it explains why the GPU was idle.
  if (kKind == Watched::kStreamWait) return true;
  if (call.works && lists_every_call()) return true;
  if (info.call_class == CallClass::kAllocate || info.call_class == CallClass::kFree)
    return info.stream_arg < 0 || duration_ns >= kListedNs;
  return !call.works && duration_ns >= kListedNs;
}

// find_place and list_call, kept out of the code of calls that mostly have no record of their own.
[[gnu::cold, gnu::noinline]] void find_place_late(Call& call, const CallSite& site) noexcept { find_place(call, site); }
[[gnu::cold, gnu::noinline]] trace::CallRecord* list_late(Call& call, const CallSite& site, uint64_t object,
                                                          uint8_t flags, int result, uint64_t end_ns) noexcept {
  return list_call(call, site, object, flags, result, end_ns);
}

uint64_t object_of(const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.event_arg >= 0) return words[info.event_arg];
  if (info.object_arg >= 0) return words[info.object_arg];
  if (info.registers_arg >= 0) return words[info.registers_arg];
  if (info.freed_arg >= 0) return words[info.freed_arg];
  return 0;
}

// Counts a wait that a signal handler makes while its thread is inside another call.
[[gnu::cold, gnu::noinline]] void pass_wait() noexcept {
  if (recording() && t_slot.frame != 0) trace_file().count_nested(true);
}

template <Watched kKind>
[[gnu::always_inline]] inline bool begin_any(WaitingCall& call, const CallSite& site, uint64_t stream,
                                             const uint64_t* words) noexcept {
  const ApiInfo& info = kApis[site.api()];
  __builtin_prefetch(&info);
  if (!start(call, site, stream)) {
    if (is_work<kKind>(info)) count_nested_work(stream, slot_of(site.api(), site.slot()).per_thread);
    if (kKind == Watched::kWait) pass_wait();
    return false;
  }
  // A wait's stack is read before the call, while the device still works.
  if (kKind == Watched::kPoll)
    find_usual_place(call, site, 0);
  else if (!is_bookkeeping<kKind>(info))
    find_place(call, site);
  if (kKind == Watched::kRest && info.bytes_arg >= 0) call.bytes = words[info.bytes_arg];
  if (kUpdatesTables<kKind>) before_allocation_call(call, site, info, words);
  if (is_work<kKind>(info)) {
    call.works = true;
    begin_work(*call.thread, call.stream, call.per_thread, call.begin_ns, call.work);
  } else if (kIsMark<kKind>) {
    begin_stream_wait(*call.thread, call.stream, call.per_thread, call.wait);
    if (kKind == Watched::kStreamWait) call.work.device = call.wait.device;
  } else if (kKind == Watched::kPoll || kKind == Watched::kWait) {
    prepare_wait<kKind>(call, info, words);
  }
  if (kKind != Watched::kEventRecord && call.place != nullptr) fetch_records(call);
  return true;
}

// Most conditions are known at compile time.
template <Watched kKind>
// NOLINTNEXTLINE(readability-function-cognitive-complexity)
[[gnu::always_inline]] inline void end_any(WaitingCall& call, const CallSite& site, const uint64_t* words,
                                           int result) noexcept {
  constexpr bool kIsWait = kKind == Watched::kWait;
  const ApiInfo& info = kApis[site.api()];
  ThreadState& thread = *call.thread;
  const uint64_t end_ns = call.thread->clock.now_ns();
  uint8_t flags = flags_of(call, info, result);
  if (!kIsMark<kKind> && call.waits && result == 0 && end_wait(call.wait)) flags |= trace::kDrained;
  if (!kIsMark<kKind> && call.works) {
    if (call.work.active && has_no_record(info.enqueues)) count_unrecorded(thread.enqueuer->of[call.work.device]);
    end_work(thread, call.begin_ns, call.work);
    if (call.work.ends_idle) write_idle(call);
    if (!kIsWait && !call.blocked) add_to_burst(call, info.enqueues, end_ns);
  }
  uint64_t wait_begin_ns = call.begin_ns;
  if constexpr (kKind == Watched::kPoll) {
    wait_begin_ns =
        fold_poll(call, site, words[info.event_arg >= 0 ? info.event_arg : info.stream_arg], flags, result, end_ns);
  } else if (!is_bookkeeping<kKind>(info)) {
    close_poll(thread);
  }
  // If the device was idle before this wait, an earlier wait is the cause.
  if ((flags & trace::kDrained) != 0 && !may_be_idle(call.wait.device)) claim_idle(call, site, wait_begin_ns, end_ns);
  if (kKind == Watched::kEventRecord && result == 0) event_recorded(words[info.event_arg], call.wait);
  if (kUpdatesTables<kKind>) after_allocation_call(call, site, info, words, result);
  const bool is_in_list = is_listed<kKind>(call, info, end_ns - call.begin_ns);
  trace::CallRecord* listed = nullptr;
  if (__builtin_expect(is_in_list, kIsWait)) {
    if (!kIsWait && call.place == nullptr) find_place_late(call, site);
    const uint64_t object = object_of(info, words);
    if (kKind == Watched::kStreamWait || (call.works && !call.blocked && lists_every_call())) flags |= trace::kInWindow;
    listed = kIsWait ? list_call(call, site, object, flags, result, end_ns)
                     : list_late(call, site, object, flags, result, end_ns);
    if (kIsWait || !call.works || call.blocked) close_burst(thread);
  }
  // Handles of streams and events are created and destroyed all the time, so they are not part of a site. Bookkeeping
  // calls are counted by function alone.
  if (!kIsWait && (!is_in_list || (call.works && !call.blocked)))
    call.place != nullptr ? count_site(call, site, 0, end_ns) : count_of_function(call, site, end_ns);
  // The program also waited for the hook's own time after the call: a tenth of a wait of 2 us.
  if ((kIsWait || call.blocked) && listed != nullptr && end_ns - call.begin_ns < kShortWaitNs)
    listed->duration_ns = thread.clock.now_ns() - call.begin_ns;
  leave();
}

}  // namespace

template <Watched kKind>
SYNCSNIFF_IN_HOOKS bool begin_call(WaitingCall& call, const CallSite& site, uint64_t stream,
                                   const uint64_t* words) noexcept {
  return begin_any<kKind>(call, site, stream, words);
}
template <Watched kKind>
SYNCSNIFF_IN_HOOKS void end_call(WaitingCall& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  end_any<kKind>(call, site, words, result);
}

// A wait runs most of this code, so it is inlined into one function, from which the compiler moves cold code elsewhere;
// it does not do that in a section of ours. This saves a seventh.
template <>
[[gnu::hot, gnu::flatten]] bool begin_call<Watched::kWait>(WaitingCall& call, const CallSite& site, uint64_t stream,
                                                           const uint64_t* words) noexcept {
  return begin_any<Watched::kWait>(call, site, stream, words);
}
template <>
[[gnu::hot, gnu::flatten]] void end_call<Watched::kWait>(WaitingCall& call, const CallSite& site, const uint64_t* words,
                                                         int result) noexcept {
  end_any<Watched::kWait>(call, site, words, result);
}

#define SYNCSNIFF_WATCH(kind)                                                                                 \
  template bool begin_call<Watched::kind>(WaitingCall&, const CallSite&, uint64_t, const uint64_t*) noexcept; \
  template void end_call<Watched::kind>(WaitingCall&, const CallSite&, const uint64_t*, int) noexcept;
SYNCSNIFF_WATCH(kPoll)
SYNCSNIFF_WATCH(kEventRecord)
SYNCSNIFF_WATCH(kStreamWait)
SYNCSNIFF_WATCH(kRest)

void initialized(int result) noexcept {
  const trace::ErrnoKept errno_kept;
  if (result == 0) open_trace();
}

}  // namespace syncsniff::shim
