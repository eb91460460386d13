#include "runtime/shim/record.h"

#include <errno.h>

#include <cstring>

#include "runtime/shim/allocations.h"
#include "runtime/shim/api_info.h"
#include "runtime/shim/copies.h"
#include "runtime/shim/cupti_timeline.h"
#include "runtime/shim/driver_layouts.h"
#include "runtime/shim/polls.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/resolve.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

using trace::CallClass;

// Calls that seldom take time (a handle, a cached look-up) are counted, and listed one by one from here on.
constexpr uint64_t kListedNs = 20000;
// A copy from a place that was quiet for so long is listed as well as counted: steps that wait for nothing are known by
// it. Some 200 bytes of trace each.
constexpr uint64_t kMarkSpacingNs = 200000;
constexpr int kNotReady = 600;

void find_place(Call& call, const CallSite& site) noexcept {
  ThreadState& thread = *call.thread;
  NativeStack native;
  bool fresh = false;
  call.place = &thread.places.find(site.return_address, site.frame, site.api * kSlots + site.slot, thread.stack_top,
                                   native, fresh);
  if (__builtin_expect(fresh, 0)) {
    PythonWalk walk;
    if (has_python()) walk_python(walk);
    call.place->stack = intern_stack(thread, native, walk);
  }
  call.stack = call.place->stack;
}

uint64_t stream_of(const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.stream_arg >= 0) return words[info.stream_arg];
  uint64_t stream = 0;
  if (info.config_arg >= 0 && words[info.config_arg] != 0)
    std::memcpy(&stream, reinterpret_cast<const char*>(words[info.config_arg]) + kConfigStreamOffset, sizeof(stream));
  return stream;
}

// Events are marks in a stream, not work: they end at once on an empty stream. Stream-ordered allocation likewise.
bool is_work(const ApiInfo& info) noexcept {
  return info.enqueues != Enqueues::kNothing && !(info.enqueues == Enqueues::kOtherWork && info.event_arg >= 0);
}

// The record that calls of this kind from this place are counted in; nullptr: the trace takes no more.
[[gnu::cold, gnu::noinline]] trace::SiteCountRecord* site_record(Call& call, const CallSite& site, uint64_t object,
                                                                 uint32_t kinds) noexcept {
  ThreadState& thread = *call.thread;
  const uint64_t key = mix(mix(mix(mix(23, site.api), call.stack), object), kinds);
  trace::SiteCountRecord** place = thread.sites.find(key);
  if (place == nullptr) {  // too many sites: the rest of an api is counted in one record
    object = call.stack = 0;
    if ((place = thread.sites.find(mix(29, site.api))) == nullptr) return nullptr;
  }
  if (*place == nullptr) {
    trace::SiteCountRecord record{};
    record.type = static_cast<uint16_t>(trace::RecordType::kSiteCount);
    record.api = api_id(thread, site.api);
    record.call_class = static_cast<uint8_t>(kApis[site.api].call_class);
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

void count_site(Call& call, const CallSite& site, uint64_t object, uint64_t end_ns) noexcept {
  CallPlace& from = *call.place;
  const uint32_t kinds = static_cast<uint32_t>(call.src) << 8 | static_cast<uint32_t>(call.dst);
  if (from.counted == nullptr || from.counted_object != object || from.counted_kinds != kinds) {
    if ((from.counted = site_record(call, site, object, kinds)) == nullptr) return;
    from.counted_object = object;
    from.counted_kinds = kinds;
  }
  trace::SiteCountRecord& record = *from.counted;
  record.total_ns += end_ns - call.begin_ns;
  record.bytes += call.bytes;
  record.last_ns = end_ns;
  record.count += 1;
  if (from.following != nullptr) __builtin_prefetch(from.following->counted, 1);
}

void add_to_burst(Call& call, const ApiInfo& info, uint64_t end_ns) noexcept {
  ThreadState& thread = *call.thread;
  if (thread.burst == nullptr) {
    trace::BurstRecord record{};
    record.type = static_cast<uint16_t>(trace::RecordType::kBurst);
    record.first_begin_ns = call.begin_ns;
    record.first_stack = call.stack;
    if ((thread.burst = thread.writer.append(record)) == nullptr) return;
  }
  trace::BurstRecord& burst = *thread.burst;
  if (info.enqueues == Enqueues::kKernel)
    ++burst.launches;
  else if (info.enqueues == Enqueues::kCopyWork)
    ++burst.copies;
  else
    ++burst.others;
  burst.in_calls_ns += end_ns - call.begin_ns;
  burst.last_end_ns = end_ns;
  burst.last_stack = call.stack;
}

trace::CallRecord* list_call(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                             uint64_t end_ns) noexcept {
  trace::CallRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kCall);
  record.api = api_id(*call.thread, site.api);
  record.call_class = static_cast<uint8_t>(kApis[site.api].call_class);
  record.flags = flags;
  record.src_memory = static_cast<uint8_t>(call.src);
  record.dst_memory = static_cast<uint8_t>(call.dst);
  record.stack = call.stack;
  record.device = call.waits ? call.wait.device : call.work.device;
  record.begin_ns = call.begin_ns;
  record.duration_ns = end_ns - call.begin_ns;
  record.stream = call.stream;
  record.object = object;
  record.bytes = call.bytes;
  record.result = result;
  return call.thread->writer.append(record);
}

void write_idle(Call& call) noexcept {
  if (!call.work.ends_idle) return;
  call.work.idle.enqueue_stack = call.stack;
  call.thread->writer.append(call.work.idle);
}

uint8_t flags_of(const Call& call, const ApiInfo& info, int result) noexcept {
  uint8_t flags = call.blocked ? trace::kBlocked : 0;
  if (result != 0 && !(info.call_class == CallClass::kPoll && result == kNotReady)) flags |= trace::kFailed;
  if (is_legacy(call.stream, call.per_thread)) flags |= trace::kLegacyStream;
  if (is_per_thread(call.stream, call.per_thread)) flags |= trace::kPerThreadStream;
  if (call.work.capturing) flags |= trace::kCapturing;
  return flags;
}

bool start(Call& call, const CallSite& site, const ApiInfo& info, const uint64_t* words) noexcept {
  call.thread = enter();
  if (call.thread == nullptr) return false;
  call.per_thread = g_slots[site.api][site.slot].per_thread;
  call.stream = stream_of(info, words);
  call.bytes = 0;
  call.stack = 0;
  call.waits = call.works = call.blocked = false;
  call.src = call.dst = trace::HostMemory::kUnknown;
  call.work.active = call.work.capturing = call.work.ends_idle = false;
  call.work.device = 0;
  return true;
}

// The device is empty: from now on it idles until somebody enqueues.
void claim_idle(Call& call, const CallSite& site, uint64_t wait_begin_ns, uint64_t end_ns) noexcept {
  trace::IdleRecord idle{};
  idle.type = static_cast<uint16_t>(trace::RecordType::kIdle);
  idle.wait_api = api_id(*call.thread, site.api);
  idle.wait_stack = call.stack;
  idle.device = call.wait.device;
  idle.begin_ns = end_ns;
  idle.wait_begin_ns = wait_begin_ns;
  idle.wait_tid = call.thread->tid;
  open_idle(call.wait, idle);
}

void prepare_wait(Call& call, const ApiInfo& info, const uint64_t* words) noexcept {
  call.waits = true;
  call.blocked = info.call_class == CallClass::kWait;
  call.wait = WaitTicket{};
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
      break;
  }
}

bool is_listed(const Call& call, const ApiInfo& info, uint64_t duration_ns) noexcept {
  if (call.blocked) return true;
  if (call.works && timeline_full()) return true;
  if (info.call_class == CallClass::kAllocate || info.call_class == CallClass::kFree)
    return info.stream_arg < 0 || duration_ns >= kListedNs;
  return !call.works && info.call_class != CallClass::kPoll && duration_ns >= kListedNs;
}

bool marks_a_step(const Call& call, const ApiInfo& info) noexcept {
  if (info.call_class != CallClass::kCopy || call.blocked || !call.works || timeline_full()) return false;
  const trace::SiteCountRecord* counted = call.place->counted;
  return counted != nullptr && call.begin_ns - counted->last_ns >= kMarkSpacingNs;
}

uint64_t object_of(const ApiInfo& info, const uint64_t* words) noexcept {
  if (info.event_arg >= 0) return words[info.event_arg];
  if (info.object_arg >= 0) return words[info.object_arg];
  if (info.registers_arg >= 0) return words[info.registers_arg];
  if (info.freed_arg >= 0) return words[info.freed_arg];
  return 0;
}

}  // namespace

bool begin_launch(Call& call, const CallSite& site, const uint64_t* words) noexcept {
  const int error = errno;
  if (!start(call, site, kApis[site.api], words)) return false;
  call.works = true;
  call.begin_ns = call.thread->clock.now_ns();
  begin_work(*call.thread, call.stream, call.per_thread, call.begin_ns, call.work);
  errno = error;
  return true;
}

void end_launch(Call& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  const int error = errno;
  const ApiInfo& info = kApis[site.api];
  end_work(call.work);
  const uint64_t end_ns = call.thread->clock.now_ns();
  close_poll(*call.thread);
  find_place(call, site);
  const uint64_t object = info.object_arg >= 0 ? words[info.object_arg] : 0;
  write_idle(call);
  count_site(call, site, object, end_ns);
  add_to_burst(call, info, end_ns);
  if (timeline_full()) list_call(call, site, object, flags_of(call, info, result), result, end_ns);
  leave();
  errno = error;
}

bool begin_call(Call& call, const CallSite& site, const uint64_t* words) noexcept {
  const int error = errno;
  const ApiInfo& info = kApis[site.api];
  if (!start(call, site, info, words)) return false;
  // What the hook itself takes before the call is time in which the program waits: its own clock sees it as well.
  call.begin_ns = call.thread->clock.now_ns();
  // A wait's stack is taken before it, while the device still works.
  find_place(call, site);
  CopyShape shape;
  if (info.call_class == CallClass::kCopy) {
    shape = shape_of_copy(info, words);
    call.src = shape.src;
    call.dst = shape.dst;
    call.bytes = shape.bytes;
    call.blocked = shape.blocks;
  } else if (info.bytes_arg >= 0) {
    call.bytes = words[info.bytes_arg];
  }
  before_allocation_call(call, site, info, words);
  if (is_work(info)) {
    call.works = true;
    begin_work(*call.thread, call.stream, call.per_thread, call.begin_ns, call.work);
    if (call.work.capturing) call.blocked = false;
    if (call.blocked && shape.covers_self) {
      call.wait = WaitTicket{};
      call.waits = true;
      begin_own_wait(call.work, call.wait);
    }
  } else if (info.call_class == CallClass::kWait || info.call_class == CallClass::kPoll) {
    prepare_wait(call, info, words);
  }
  errno = error;
  return true;
}

void end_call(Call& call, const CallSite& site, const uint64_t* words, int result) noexcept {
  const int error = errno;
  const ApiInfo& info = kApis[site.api];
  ThreadState& thread = *call.thread;
  const uint64_t end_ns = call.thread->clock.now_ns();
  uint8_t flags = flags_of(call, info, result);
  if (call.waits && result == 0 && end_wait(call.wait)) flags |= trace::kDrained;
  end_work(call.work);
  if (call.works) {
    write_idle(call);
    if (!call.blocked) add_to_burst(call, info, end_ns);
  }
  uint64_t wait_begin_ns = call.begin_ns;
  if (info.call_class == CallClass::kPoll) {
    wait_begin_ns =
        fold_poll(call, site, words[info.event_arg >= 0 ? info.event_arg : info.stream_arg], flags, result, end_ns);
  } else if (call.works || call.blocked || info.call_class != CallClass::kOther) {
    close_poll(thread);
  }
  if ((flags & trace::kDrained) != 0) claim_idle(call, site, wait_begin_ns, end_ns);
  after_allocation_call(call, site, info, words, result);
  const uint64_t object = object_of(info, words);
  const bool is_mark = marks_a_step(call, info);
  const bool is_in_list = is_mark || is_listed(call, info, end_ns - call.begin_ns);
  trace::CallRecord* const listed = is_in_list ? list_call(call, site, object, flags, result, end_ns) : nullptr;
  if (is_in_list && (is_mark || !call.works || call.blocked)) thread.burst = nullptr;
  // Handles of streams and events come and go: they are no part of a site.
  if (!is_in_list || (call.works && !call.blocked)) count_site(call, site, 0, end_ns);
  // What the hook took after the call, the program waited for as well. Of a wait of 2 us it is a tenth.
  if (call.blocked && listed != nullptr) listed->duration_ns = thread.clock.now_ns() - call.begin_ns;
  leave();
  errno = error;
}

void initialized(int result) noexcept {
  const int error = errno;
  if (result == 0) open_trace();
  errno = error;
}

}  // namespace syncsniff::shim
