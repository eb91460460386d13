#include "instrument/timeline/gpu_idle.h"

#include <algorithm>

#include "instrument/timeline/call_times.h"
#include "instrument/timeline/sites.h"

namespace syncsniff::timeline {
namespace {

using trace::CallClass;

constexpr uint64_t kLaunchBoundSpacings = 4;  // a gap of up to this many usual launch spacings is launch-bound
constexpr size_t kMostStreamWaits = 4096;     // how many waits of other streams are skipped at most
constexpr size_t kMostOpenWaits = 64;         // waits of other threads that may still be open

CallClass class_of(const trace::CallRecord& call) { return static_cast<CallClass>(call.call_class); }

IdleCause cause_of(const trace::CallRecord& call) {
  if (class_of(call) == CallClass::kModuleLoad) return IdleCause::kEndEffects;
  return class_of(call) == CallClass::kWait || class_of(call) == CallClass::kPoll ? IdleCause::kSync
                                                                                  : IdleCause::kImplicitSync;
}

}  // namespace

const char* to_string(IdleCause cause) {
  static constexpr const char* kNames[kIdleCauses] = {"sync",       "implicit sync", "launch-bound", "host work",
                                                      "dependency", "end effects",   "unknown"};
  return kNames[static_cast<size_t>(cause)];
}

IdleBlame::IdleBlame(const reader::Trace& trace, const LaunchOf& launches, uint64_t launch_spacing_ns)
    : launch_of_(launches), launch_spacing_ns_(launch_spacing_ns) {
  for (const auto& event : trace.calls) {
    const HostCall call{event.record.begin_ns, event.record.begin_ns + event.record.duration_ns, &event.record};
    if (trace.api_name(event.record.api).find("StreamWait") != std::string::npos) stream_waits_.push_back(call);
    if (is_blocked(event.record)) waits_.push_back(call);
    if (class_of(event.record) == CallClass::kLaunch || class_of(event.record) == CallClass::kCopy)
      enqueues_.push_back(call);
  }
}

const trace::CallRecord* IdleBlame::dependency_of(const trace::GpuWorkRecord& work) const {
  const auto launch = launch_of_.find(&work);
  if (launch == launch_of_.end()) return nullptr;
  const trace::CallRecord& launched = *launch->second;
  auto wait = std::lower_bound(stream_waits_.begin(), stream_waits_.end(), launched.begin_ns, begins_before);
  for (size_t i = 0; i < kMostStreamWaits && wait != stream_waits_.begin(); ++i) {
    --wait;
    if (wait->record->stream == launched.stream && wait->record->device == launched.device) return wait->record;
  }
  return &launched;
}

// The wait that the host was in when the device drained; nullptr: none.
const IdleBlame::HostCall* IdleBlame::wait_at(uint64_t time_ns) const {
  auto it = std::upper_bound(waits_.begin(), waits_.end(), time_ns + kClockSlackNs,
                             [](uint64_t time, const HostCall& call) { return time < call.begin; });
  for (size_t i = 0; i < kMostOpenWaits && it != waits_.begin(); ++i) {
    --it;
    if (it->end + kClockSlackNs >= time_ns) return &*it;
  }
  return nullptr;
}

const IdleBlame::HostCall* IdleBlame::longest_in(const Interval& gap, uint64_t* covered_ns) const {
  const HostCall* longest = nullptr;
  *covered_ns = 0;
  auto it = std::lower_bound(waits_.begin(), waits_.end(), gap.begin,
                             [](const HostCall& call, uint64_t time) { return call.begin < time; });
  for (; it != waits_.end() && it->begin < gap.end; ++it) {
    const uint64_t covered = std::min(it->end, gap.end) - it->begin;
    if (covered > *covered_ns) longest = &*it, *covered_ns = covered;
  }
  return longest;
}

IdleGap IdleBlame::blame(const Interval& gap, const trace::GpuWorkRecord& next) const {
  IdleGap result;
  result.interval = gap;
  auto charge = [&](IdleCause cause, const trace::CallRecord* call) {
    result.cause = cause;
    if (call != nullptr) result.stack = call->stack, result.api = call->api;
    return result;
  };
  if (const HostCall* wait = wait_at(gap.begin)) return charge(cause_of(*wait->record), wait->record);
  uint64_t covered = 0;
  if (const HostCall* call = longest_in(gap, &covered); call != nullptr && covered * 2 >= gap.length())
    return charge(cause_of(*call->record), call->record);

  const auto first = std::lower_bound(enqueues_.begin(), enqueues_.end(), gap.begin, begins_before);
  const bool enqueued_inside = first != enqueues_.end() && first->begin < gap.end;
  const HostCall* before = first == enqueues_.begin() ? nullptr : &*std::prev(first);
  if (!enqueued_inside) {
    // The work that ended the gap was queued before the gap began: it waited for another stream, or for the launch
    // latency.
    if (before == nullptr) return result;
    if (before->end + kLaunchLatencyNs >= gap.end) return charge(IdleCause::kLaunchBound, before->record);
    return charge(IdleCause::kDependency, dependency_of(next));
  }
  const uint64_t since = before != nullptr && first->begin > before->end ? first->begin - before->end : 0;
  if (before != nullptr && since <= kLaunchBoundSpacings * launch_spacing_ns_)
    return charge(IdleCause::kLaunchBound, first->record);
  if (before != nullptr) result.before_stack = before->record->stack;
  return charge(IdleCause::kHostWork, first->record);
}

}  // namespace syncsniff::timeline
