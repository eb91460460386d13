#include "runtime/shim/records.h"

#include "runtime/shim/board.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"
#include "runtime/trace/errno_kept.h"
#include "runtime/trace/signals_held.h"

namespace syncsniff::shim {

namespace {

[[gnu::cold, gnu::noinline]] CallPlace& add_place(ThreadState& thread, const SoughtPlace& sought) noexcept {
  const trace::ErrnoKept errno_kept;
  const trace::SignalsHeld signals_held;  // also over the loader's lock, which the unwinder may take
  NativeStack native;
  unwind(native, sought.return_address, sought.frame, sought.top);
  PythonWalk walk;
  if (g_recording.python) {
    walk_python(walk);
    update_python_thread(thread);
  }
  const uint32_t stack = intern_stack(thread, native, walk);
  return thread.places.add(sought, native, stack);
}

}  // namespace

CallPlace& find_other_place(ThreadState& thread, const SoughtPlace& sought) noexcept {
  CallPlace* const known = thread.places.find(sought);
  return known != nullptr ? *known : add_place(thread, sought);
}

void find_place(Call& call, const CallSite& site) noexcept {
  call.python = python_place();
  find_place_here(call, site);
}

trace::SiteCountRecord* site_record(Call& call, const CallSite& site, uint64_t object, uint32_t kinds) noexcept {
  ThreadState& thread = *call.thread;
  const uint64_t key = mix(mix(mix(mix(23, site.api()), call.stack), object), kinds);
  trace::SiteCountRecord** place = thread.sites.find(key);
  if (place == nullptr) {  // too many sites: the function's other calls are counted in one record
    object = call.stack = 0;
    place = &thread.of_function[site.api()];
  }
  if (*place == nullptr) {
    trace::SiteCountRecord record{};
    record.type = static_cast<uint16_t>(trace::RecordType::kSiteCount);
    record.api = api_id(thread, site.api());
    record.call_class = static_cast<uint8_t>(kApis[site.api()].call_class);
    record.src_memory = static_cast<uint8_t>(call.src);
    record.dst_memory = static_cast<uint8_t>(call.dst);
    record.stack = call.stack;
    record.device = call.work.device;
    record.first_ns = call.begin_ns;
    record.object = object;
    *place = thread.writer.append(record);
  }
  return *place;
}

SYNCSNIFF_IN_HOOK void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept {
  const uint16_t kinds = kinds_of(call);
  CallPlace* const from = call.place;
  trace::SiteCountRecord* record;
  if (from == nullptr) {
    trace::SiteCountRecord*& of_function = call.thread->of_function[site.api()];
    if (of_function == nullptr) of_function = site_record(call, site, object, kinds);
    record = of_function;
  } else {
    if (__builtin_expect(from->counted == nullptr || from->counted_object != object || from->counted_kinds != kinds,
                         0)) {
      from->counted = site_record(call, site, object, kinds);
      from->counted_object = object;
      from->counted_kinds = kinds;
    }
    record = from->counted;
  }
  if (record == nullptr) return;
  record->bytes += call.bytes;
  record->total_ns += end_ns - call.begin_ns;
  record->last_ns = end_ns;
  record->count += 1;
}

trace::BurstRecord* open_burst(ThreadState& thread, uint64_t begin_ns, uint32_t stack) noexcept {
  trace::BurstRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kBurst);
  record.first_begin_ns = begin_ns;
  record.first_stack = stack;
  return thread.burst = thread.writer.append(record);
}

SYNCSNIFF_IN_HOOK void add_to_burst(Call& call, Enqueues what, uint64_t end_ns) noexcept {
  ThreadState& thread = *call.thread;
  if (thread.burst == nullptr && open_burst(thread, call.begin_ns, call.stack) == nullptr) return;
  trace::BurstRecord& burst = *thread.burst;
  ++(what == Enqueues::kKernel ? burst.launches : what == Enqueues::kCopyWork ? burst.copies : burst.others);
  burst.in_calls_ns += end_ns - call.begin_ns;
  burst.last_end_ns = end_ns;
  burst.last_stack = call.stack;
  thread.untimed = 0;
}

// If the burst's last launches were not timed, their end is estimated as if they were evenly spaced, and the next
// launches from that place are timed.
SYNCSNIFF_IN_HOOK void close_burst(ThreadState& thread, uint64_t begin_ns) noexcept {
  trace::BurstRecord* const burst = thread.burst;
  thread.burst = nullptr;
  if (burst == nullptr || thread.untimed == 0) return;
  thread.last_untimed->ends_burst = true;
  if (begin_ns > burst->last_end_ns)
    burst->last_end_ns = begin_ns - (begin_ns - burst->last_end_ns) / (thread.untimed + 1u);
  thread.untimed = 0;
}

SYNCSNIFF_IN_HOOK trace::CallRecord* list_call(Call& call, const CallSite& site, uint64_t object, uint8_t flags,
                                               int result, uint64_t end_ns) noexcept {
  trace::CallRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kCall);
  record.api = api_id(*call.thread, site.api());
  record.call_class = static_cast<uint8_t>(kApis[site.api()].call_class);
  record.flags = flags;
  record.src_memory = static_cast<uint8_t>(call.src);
  record.dst_memory = static_cast<uint8_t>(call.dst);
  record.stack = call.stack;
  record.device = call.work.device;
  record.begin_ns = call.begin_ns;
  record.duration_ns = end_ns - call.begin_ns;
  record.stream = call.stream;
  record.object = object;
  record.bytes = call.bytes;
  record.result = result;
  return call.thread->writer.append(record);
}

SYNCSNIFF_IN_HOOK uint8_t flags_of(const Call& call, const ApiInfo& info, int result) noexcept {
  uint8_t flags = call.blocked ? trace::kBlocked : 0;
  if (result != 0 && !(info.call_class == trace::CallClass::kPoll && result == kNotReady)) flags |= trace::kFailed;
  if (is_legacy(call.stream, call.per_thread)) flags |= trace::kLegacyStream;
  if (is_per_thread(call.stream, call.per_thread)) flags |= trace::kPerThreadStream;
  if (call.work.capturing) flags |= trace::kCapturing;
  return flags;
}

void write_idle(Call& call) noexcept {
  call.work.idle.enqueue_stack = call.stack;
  call.thread->writer.append(call.work.idle);
}

}  // namespace syncsniff::shim
