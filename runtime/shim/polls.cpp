#include "runtime/shim/polls.h"

#include "runtime/shim/api_info.h"
#include "runtime/shim/in_hook.h"
#include "runtime/shim/recorder.h"
#include "runtime/shim/records.h"
#include "runtime/shim/thread_state.h"

namespace syncsniff::shim {
namespace {

// Queries further apart than this are single queries, as a caching allocator makes, not a spin.
constexpr uint64_t kSpinGapNs = 20'000'000;

[[gnu::cold, gnu::noinline]] void write_second_query(Call& call, const CallSite& site, OpenPoll& poll) noexcept {
  trace::CallRecord record{};
  record.type = static_cast<uint16_t>(trace::RecordType::kCall);
  record.api = api_id(*call.thread, site.api());
  record.call_class = static_cast<uint8_t>(trace::CallClass::kPoll);
  record.stack = poll.stack;
  record.device = call.work.device;
  record.begin_ns = poll.begin_ns;
  record.stream = call.stream;
  record.object = poll.object;
  poll.record = call.thread->writer.append(record);
  close_burst(*call.thread);
}

}  // namespace

SYNCSNIFF_IN_HOOK uint64_t fold_poll(Call& call, const CallSite& site, uint64_t object, uint8_t flags, int result,
                                     uint64_t end_ns) noexcept {
  OpenPoll& poll = call.thread->poll;
  uint32_t& asks = call.thread->asks;
  if (asks == 0 || poll.api != site.api() || poll.object != object || call.begin_ns - poll.last_ns > kSpinGapNs) {
    close_poll(*call.thread);
    poll.api = site.api();
    poll.object = object;
    poll.begin_ns = call.begin_ns;
    poll.stack = call.stack;
  }
  ++asks;
  poll.last_ns = end_ns;
  const uint64_t begin_ns = poll.begin_ns;
  if (asks == 2) write_second_query(call, site, poll);
  if (poll.record != nullptr) {
    poll.record->duration_ns = end_ns - begin_ns;
    poll.record->polls = asks;
    poll.record->result = result;
    poll.record->flags = static_cast<uint8_t>(flags | trace::kBlocked);
  }
  if (result == 0) close_poll(*call.thread);
  return begin_ns;
}

void close_open_poll(ThreadState& thread) noexcept {
  thread.poll = OpenPoll{};
  thread.asks = 0;
}

}  // namespace syncsniff::shim
