// Converts a trace's regular steps to the items that replay.cpp plays: host times as recorded, device times computed
// from when the waits returned.
#include <algorithm>
#include <map>

#include "instrument/timeline/call_times.h"
#include "instrument/timeline/replay.h"

namespace syncsniff::timeline {
namespace {

using trace::CallClass;

constexpr size_t kMaxItems = 100000;  // enough for a stable result; longer runs are cut
constexpr double kWaitCallNs = 1000;  // a wait with nothing to wait for: 1.5 us recorded on an H200 machine
constexpr double kCopyCallNs = 8000;  // a blocking copy of a few bytes on an empty device: 10 us recorded

struct HostEvent {
  uint64_t begin, end;
  uint32_t tid;
  const trace::CallRecord* call;  // either this or `burst` is set
  const trace::BurstRecord* burst;
};

bool is_copy(const trace::CallRecord& call) { return call.call_class == static_cast<uint8_t>(CallClass::kCopy); }

class ScriptBuilder {
 public:
  ScriptBuilder(const reader::Trace& trace, const std::vector<Site>& strands) {
    std::map<std::string, uint32_t> api_ids;
    for (const auto& [id, name] : trace.apis) api_ids[name] = id;
    for (size_t i = 0; i < strands.size(); ++i)
      strand_of_[{strands[i].stacks[0], api_ids[strands[i].api]}] = static_cast<uint32_t>(i);
    for (const auto& call : trace.calls)
      if (is_blocked(call.record))
        events_.push_back(
            {call.record.begin_ns, call.record.begin_ns + call.record.duration_ns, call.tid, &call.record, nullptr});
    for (const auto& burst : trace.bursts)
      events_.push_back({burst.record.first_begin_ns, burst.record.last_end_ns, burst.tid, nullptr, &burst.record});
    std::stable_sort(events_.begin(), events_.end(),
                     [](const HostEvent& a, const HostEvent& b) { return a.begin < b.begin; });
  }

  void add_step(const Interval& step, Replay& replay) {
    if (step.begin != time_) pending_.clear(), empty_ = false;  // a step was left out, so what is queued is not known
    time_ = step.begin;
    auto it = std::lower_bound(events_.begin(), events_.end(), step.begin,
                               [](const HostEvent& event, uint64_t time) { return event.begin < time; });
    const size_t first = replay.items.size();
    for (; it != events_.end() && it->begin < step.end; ++it)
      if (it->end <= step.end || it->call != nullptr) add(*it, replay.items);
    HostItem rest;  // the host's work between the last call and the next step
    rest.gap_ns = until(step.end);
    replay.items.push_back(rest);
    replay.items[first].first_of_step = true;
    ++replay.steps;
    replay.recorded_ns += static_cast<double>(step.length());
  }

 private:
  // Host time since the end of the item before; time in which threads overlap counts once.
  double until(uint64_t time) {
    const double gap = time > time_ ? static_cast<double>(time - time_) : 0;
    time_ = std::max(time_, time);
    return gap;
  }

  void add(const HostEvent& event, std::vector<HostItem>& items) {
    HostItem item;
    item.gap_ns = until(event.begin);
    const double host = until(event.end);
    if (event.burst != nullptr) {
      item.act = HostAct::kEnqueue;
      item.host_ns = host;
      item.operations = event.burst->launches + event.burst->copies + event.burst->others;
      pending_.push_back({items.size(), event.begin, event.end});
      empty_ = false;
    } else {
      call(event, host, item, items);
    }
    items.push_back(item);
  }

  void call(const HostEvent& event, double host, HostItem& item, std::vector<HostItem>& items) {
    auto strand = strand_of_.find({event.call->stack, event.call->api});
    item.strand = strand == strand_of_.end() ? kNoStrand : strand->second;
    item.host_ns = host;
    if (!waited(*event.call)) return;  // delays the host, not the device
    const bool empty = empty_ && pending_.empty();
    if (is_copy(*event.call)) {
      const double usual = kCopyCallNs + kCopyNsPerByte * static_cast<double>(event.call->bytes);
      item.act = HostAct::kCopy;
      item.device_ns = empty ? host : std::min(host, usual);
      item.host_ns = 0;
    } else {
      item.act = HostAct::kWait;
      item.latency_ns = empty ? 0 : kWaitLatencyNs;
      item.host_ns = empty ? host : std::min(host, kWaitCallNs);
    }
    const double tail = item.act == HostAct::kCopy ? item.device_ns : item.latency_ns;
    settle(static_cast<double>(event.end) - tail, items);
    empty_ = true;
  }

  // All that was enqueued since the last wait had run at `done`. If K equal operations that take D in all are issued
  // evenly from b to e, the last ends at max(b + D, e + D / K): this is solved for D.
  void settle(double done, std::vector<HostItem>& items) {
    if (pending_.empty()) return;
    double operations = 0;
    for (const Pending& burst : pending_) operations += std::max(1u, items[burst.item].operations);
    const double all = done - static_cast<double>(pending_.front().begin);
    const double backlog = std::max(0.0, done - static_cast<double>(pending_.back().end));
    const double device = std::max(0.0, std::min(all, operations * backlog));
    for (const Pending& burst : pending_)
      items[burst.item].device_ns = device * std::max(1u, items[burst.item].operations) / operations;
    pending_.clear();
  }

  struct Pending {
    size_t item;
    uint64_t begin, end;
  };

  std::map<std::pair<uint32_t, uint32_t>, uint32_t> strand_of_;
  std::vector<HostEvent> events_;
  std::vector<Pending> pending_;
  bool empty_ = false;  // the device is known to be idle
  uint64_t time_ = 0;
};

}  // namespace

Replay build_replay(const reader::Trace& trace, const Steps& steps, const std::vector<Site>& strands) {
  Replay replay;
  ScriptBuilder builder(trace, strands);
  std::vector<Interval> intervals = steps.regular;
  if (intervals.empty()) intervals.push_back({trace.begin_ns(), trace.end_ns()});
  for (const Interval& interval : intervals) {
    if (replay.items.size() >= kMaxItems) break;
    builder.add_step(interval, replay);
  }
  replay.base_ns = play(replay.items, {});
  return replay;
}

}  // namespace syncsniff::timeline
