#include "runtime/shim/records.h"

#include "runtime/shim/in_hook.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {

SYNCSNIFF_IN_HOOK void find_place(Call& call, const CallSite& site, uint64_t what) noexcept {
  call.place = &call.thread->places.find_whole(*call.thread, site, what);
  call.stack = call.place->stack;
}

SYNCSNIFF_IN_HOOK void find_usual_place(Call& call, const CallSite& site, uint64_t what) noexcept {
  call.place = &call.thread->places.find_mostly(*call.thread, site, what, call.begin_ns);
  call.stack = call.place->stack;
}

namespace {

// The record in which calls from this place are counted; nullptr: the trace is full. `kinds` distinguishes calls from
// the same place.
[[gnu::cold, gnu::noinline]] trace::SiteCountRecord* site_record(Call& call, const CallSite& site, uint64_t object,
                                                                 uint32_t kinds) noexcept {
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

void count_in(trace::SiteCountRecord& record, const Call& call, uint64_t end_ns) noexcept {
  record.bytes += call.bytes;
  record.total_ns += end_ns - call.begin_ns;
  record.last_ns = end_ns;
  record.count += 1;
}

[[gnu::noinline]] trace::BurstRecord* open_burst(const Call& call) noexcept {
  trace::BurstRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kBurst);
  record.first_begin_ns = call.begin_ns;
  record.first_stack = call.stack;
  return call.thread->burst = call.thread->writer.append(record);
}

}  // namespace

SYNCSNIFF_IN_HOOK void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept {
  const uint16_t kinds = kinds_of(call);
  CallPlace& from = *call.place;
  if (__builtin_expect(from.counted == nullptr || from.counted_object != object || from.counted_kinds != kinds, 0)) {
    from.counted = site_record(call, site, object, kinds);
    from.counted_object = object;
    from.counted_kinds = kinds;
  }
  if (__builtin_expect(from.counted != nullptr, 1)) count_in(*from.counted, call, end_ns);
}

void count_of_function(Call& call, const CallSite& site, uint64_t end_ns) noexcept {
  trace::SiteCountRecord*& record = call.thread->of_function[site.api()];
  if (record == nullptr) record = site_record(call, site, 0, 0);
  if (record != nullptr) count_in(*record, call, end_ns);
}

SYNCSNIFF_IN_HOOK void add_to_burst(Call& call, Enqueues what, uint64_t end_ns) noexcept {
  ThreadState& thread = *call.thread;
  if (thread.burst == nullptr && open_burst(call) == nullptr) return;
  trace::BurstRecord& burst = *thread.burst;
  ++(what == Enqueues::kKernel ? burst.launches : what == Enqueues::kCopyWork ? burst.copies : burst.others);
  burst.in_calls_ns += end_ns - call.begin_ns;
  burst.last_end_ns = end_ns;
  burst.last_stack = call.stack;
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
