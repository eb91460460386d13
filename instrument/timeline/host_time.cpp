#include "instrument/timeline/host_time.h"

#include <algorithm>
#include <utility>

#include "instrument/timeline/median.h"
#include "instrument/timeline/sites.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

using trace::CallClass;

// Code of up to this many usual spacings between two launches counts as launching.
constexpr uint64_t kLaunchingSpacings = 4;
constexpr uint64_t kLeastCodeNs = 15000;  // so does shorter code: a call in Python, a lookup of a size
// Of one look at all threads, read one after the other: 200 us seen with two of them.
constexpr uint64_t kLongestLookNs = 500000;
// If a step is two launches (a graph, a copy), the usual spacing is half a step, and the code between them must not
// count as launching.
constexpr uint64_t kMostSpacingNs = 25000;
constexpr size_t kMostOpenCalls = 64;  // calls of other threads that may still be open

bool is_enqueue(const trace::CallRecord& call) {
  const auto call_class = static_cast<CallClass>(call.call_class);
  return (call_class == CallClass::kLaunch || call_class == CallClass::kCopy) && !waited(call);
}

HostDoing doing_of(const trace::CallRecord& call) {
  switch (static_cast<CallClass>(call.call_class)) {
    case CallClass::kAllocate:
    case CallClass::kFree:
      return HostDoing::kAllocating;
    case CallClass::kModuleLoad:
      return HostDoing::kLoading;
    default:
      return waited(call) ? HostDoing::kWaiting : is_enqueue(call) ? HostDoing::kLaunching : HostDoing::kOtherCall;
  }
}

}  // namespace

const char* to_string(HostDoing doing) {
  static constexpr const char* kNames[kHostDoings] = {"host code",    "launching",  "waiting",  "allocating",
                                                      "loading code", "other call", "starting", "queued work"};
  return kNames[static_cast<size_t>(doing)];
}

HostTime::HostTime(const reader::Trace& trace, const std::vector<Interval>& windows, std::unordered_set<uint32_t> blind)
    : trace_(trace), blind_(std::move(blind)) {
  group_samples();
  std::vector<uint64_t> spacings;
  uint64_t last_begin = 0;  // of the enqueue before, if no wait came in between
  for (const auto& event : trace.calls) {
    const trace::CallRecord& record = event.record;
    const Call call{record.begin_ns, record.begin_ns + record.duration_ns, &record, event.tid};
    (waited(record) ? waits_ : acts_).push_back(call);
    if (waited(record)) {
      last_begin = 0;
    } else if (is_enqueue(record) && interval_at(windows, record.begin_ns) != nullptr) {
      if (last_begin != 0) spacings.push_back(call.begin - last_begin);
      last_begin = call.begin;
    }
  }
  if (spacings.empty()) return;
  spacing_ns_ = std::min(kMostSpacingNs, median(std::move(spacings)));
  count_launches(windows);
}

uint64_t HostTime::longest_launching_ns() const { return std::max(kLeastCodeNs, kLaunchingSpacings * spacing_ns_); }

void HostTime::count_launches(const std::vector<Interval>& windows) {
  for (size_t i = 0; i < acts_.size(); ++i) {
    const Call& call = acts_[i];
    if (!is_enqueue(*call.record) || interval_at(windows, call.begin) == nullptr) continue;
    Launches& launches = launches_[call.record->stack];
    ++launches.count;
    launches.graphs += trace_.api_name(call.record->api).starts_with("cuGraphLaunch");
    launches.copies += static_cast<CallClass>(call.record->call_class) == CallClass::kCopy;
    launches.in_row += i + 1 < acts_.size() && acts_[i + 1].record->stack == call.record->stack;
    if (i + 1 == acts_.size() || !is_enqueue(*acts_[i + 1].record)) continue;
    const uint64_t spacing = acts_[i + 1].begin - call.begin;
    if (spacing > longest_launching_ns() + (call.end - call.begin)) continue;
    ++launches.spaced;
    launches.spacing_ns += spacing;
  }
}

const HostTime::Call* HostTime::last_before(uint64_t time_ns) const {
  const Call* last = nullptr;
  for (const std::vector<Call>* calls : {&acts_, &waits_}) {
    auto it = std::upper_bound(calls->begin(), calls->end(), time_ns,
                               [](uint64_t time, const Call& call) { return time < call.begin; });
    for (size_t i = 0; i < kMostOpenCalls && it != calls->begin(); ++i) {
      const Call& call = *--it;
      if (call.end <= time_ns && (last == nullptr || call.end > last->end)) last = &call;
    }
  }
  return last;
}

HostPart HostTime::part_of(const Interval& interval, HostDoing doing, const Call& call) {
  HostPart part{interval, doing};
  part.stack = call.record->stack;
  part.tid = call.tid;
  part.api = call.record->api;
  part.copies = static_cast<CallClass>(call.record->call_class) == CallClass::kCopy;
  return part;
}

std::vector<HostPart> HostTime::parts(const Interval& idle, const trace::CallRecord* launch) const {
  std::vector<HostPart> parts;
  // From the launch's return until its work starts, all time is launch latency, whatever the host does meanwhile.
  const uint64_t launched = launch != nullptr ? std::min(idle.end, launch->begin_ns + launch->duration_ns) : idle.end;
  uint64_t at = idle.begin;
  auto it = std::lower_bound(acts_.begin(), acts_.end(), idle.begin,
                             [](const Call& call, uint64_t time) { return call.begin < time; });
  for (size_t i = 0; i < kMostOpenCalls && it != acts_.begin() && std::prev(it)->begin < idle.begin; ++i) --it;
  const Call* previous = nullptr;
  for (; it != acts_.end() && it->begin < launched && at < launched; ++it) {
    if (it->end <= at) continue;
    if (it->begin > at) {
      add_waits({at, std::min(it->begin, launched)}, previous != nullptr ? previous : last_before(at), &*it, parts);
      at = std::min(it->begin, launched);
    }
    const uint64_t end = std::min(it->end, launched);
    if (end > at) parts.push_back(part_of({at, end}, doing_of(*it->record), *it));
    at = std::max(at, end);
    previous = &*it;
  }
  if (at < launched) {
    const Call* after = it != acts_.end() ? &*it : nullptr;
    add_waits({at, launched}, previous != nullptr ? previous : last_before(at), after, parts);
  }
  if (launched >= idle.end) return parts;
  HostPart starting{{std::max(launched, idle.begin), idle.end}, HostDoing::kStarting};
  if (launch != nullptr) starting.stack = launch->stack;
  parts.push_back(starting);
  return parts;
}

// Splits the time between two calls that are not waits: inside a wait the host waits; the rest is code.
void HostTime::add_waits(const Interval& between, const Call* before, const Call* after,
                         std::vector<HostPart>& parts) const {
  uint64_t at = between.begin;
  auto it = std::upper_bound(waits_.begin(), waits_.end(), at,
                             [](uint64_t time, const Call& call) { return time < call.begin; });
  for (size_t i = 0; i < kMostOpenCalls && it != waits_.begin(); ++i) --it;
  for (; it != waits_.end() && it->begin < between.end; ++it) {
    if (it->end <= at) continue;
    if (it->begin > at) add_code({at, it->begin}, before, &*it, parts);
    const uint64_t from = std::max(at, it->begin);
    at = std::min(it->end, between.end);
    parts.push_back(part_of({from, at}, HostDoing::kWaiting, *it));
    before = &*it;
  }
  if (at < between.end) add_code({at, between.end}, before, after, parts);
}

void HostTime::add_code(const Interval& code, const Call* before, const Call* after,
                        std::vector<HostPart>& parts) const {
  const bool ends_in_launch = after != nullptr && is_enqueue(*after->record);
  // Whether code counts as launching depends on its whole length, not on the part inside the idle interval.
  const uint64_t whole =
      before != nullptr && after != nullptr && after->begin > before->end ? after->begin - before->end : code.length();
  if (ends_in_launch && whole <= longest_launching_ns()) {
    parts.push_back(part_of(code, HostDoing::kLaunching, *after));
    return;
  }
  const uint32_t from = before != nullptr ? before->record->stack : 0;
  const uint32_t to = after != nullptr ? after->record->stack : 0, tid = after != nullptr ? after->tid : 0;
  const size_t first = parts.size();
  if (!add_samples(code, tid, parts)) {
    HostPart unseen{code, HostDoing::kCode};
    unseen.stack = to;
    unseen.tid = tid;
    parts.push_back(unseen);
  }
  for (size_t i = first; i < parts.size(); ++i) parts[i].from = from, parts[i].to = to;
}

// Groups samples into looks. A look is one sample of each thread, one after the other; it ends when a thread occurs
// again.
void HostTime::group_samples() {
  std::vector<uint32_t> seen;
  for (size_t i = 0; i < trace_.samples.size(); ++i) {
    const trace::SampleRecord& sample = trace_.samples[i];
    const bool again = std::find(seen.begin(), seen.end(), sample.tid) != seen.end();
    if (i == 0 || again || sample.time_ns - trace_.samples[looks_.back()].time_ns > kLongestLookNs) {
      looks_.push_back(i);
      seen.clear();
    }
    seen.push_back(sample.tid);
  }
  looks_.push_back(trace_.samples.size());
}

// Chooses the sample of a look that best shows what the host did: one of a running thread before that of `tid`, which
// makes the next call, and that before one of a thread that waits for work. nullptr: a thread was in a call or ran at
// an unknown place, and no other thread ran.
const trace::SampleRecord* HostTime::telling(size_t look, uint32_t tid) const {
  const trace::SampleRecord* best = nullptr;
  bool busy = false;  // a thread was inside a call, or ran at an unknown place
  auto is_running = [](const trace::SampleRecord& sample) {
    return sample.state == static_cast<uint8_t>(trace::HostState::kRunning);
  };
  auto rank = [&](const trace::SampleRecord& sample) {
    return (is_running(sample) ? 2 : 0) + (sample.tid == tid ? 1 : 0);
  };
  for (size_t i = looks_[look]; i < looks_[look + 1]; ++i) {
    const trace::SampleRecord& sample = trace_.samples[i];
    busy |= sample.in_call != 0 || (is_running(sample) && blind_.contains(sample.stack));
    if (sample.in_call != 0 || sample.stack == 0 || blind_.contains(sample.stack)) continue;
    if (best == nullptr || rank(sample) > rank(*best)) best = &sample;
  }
  return best != nullptr && busy && !is_running(*best) ? nullptr : best;
}

// Each sample represents the code around it, up to half way to the neighbouring samples.
bool HostTime::add_samples(const Interval& code, uint32_t tid, std::vector<HostPart>& parts) const {
  if (looks_.size() < 2) return false;
  auto first = std::lower_bound(looks_.begin(), looks_.end() - 1, code.begin,
                                [&](size_t look, uint64_t time) { return trace_.samples[look].time_ns < time; });
  if (first != looks_.begin()) --first;  // this look began before the code, but may have sampled some threads in it
  std::vector<const trace::SampleRecord*> seen;
  for (auto look = static_cast<size_t>(first - looks_.begin()); look + 1 < looks_.size(); ++look) {
    if (trace_.samples[looks_[look]].time_ns >= code.end) break;
    const trace::SampleRecord* sample = telling(look, tid);
    if (sample != nullptr && sample->time_ns >= code.begin && sample->time_ns < code.end) seen.push_back(sample);
  }
  uint64_t at = code.begin;
  for (size_t i = 0; i < seen.size(); ++i) {
    const trace::SampleRecord& sample = *seen[i];
    const uint64_t end = i + 1 < seen.size() ? (sample.time_ns + seen[i + 1]->time_ns) / 2 : code.end;
    HostPart part{{at, end}, HostDoing::kCode};
    part.state = static_cast<trace::HostState>(sample.state);
    part.stack = sample.stack;
    part.tid = sample.tid;
    part.sampled = true;
    parts.push_back(part);
    at = end;
  }
  return !seen.empty();
}

}  // namespace syncsniff::timeline
