#include "instrument/timeline/code_after_waits.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "instrument/timeline/enqueue_time.h"
#include "instrument/timeline/median.h"
#include "instrument/timeline/sites.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

struct Event {
  Interval interval;
  uint32_t stack = 0;
  bool is_wait = false;
};

// Those events of each thread that are recorded in windows and outside of them alike.
std::map<uint32_t, std::vector<Event>> events_by_thread(const reader::Trace& trace) {
  std::map<uint32_t, std::vector<Event>> threads;
  for (const auto& event : trace.calls) {
    const trace::CallRecord& call = event.record;
    const auto call_class = static_cast<trace::CallClass>(call.call_class);
    if (waited(call) || call_class == trace::CallClass::kLaunch || call_class == trace::CallClass::kCopy)
      threads[event.tid].push_back({{call.begin_ns, call.begin_ns + call.duration_ns}, call.stack, waited(call)});
  }
  for (const auto& event : trace.bursts)
    threads[event.tid].push_back({{event.record.first_begin_ns, event.record.last_end_ns}});
  for (auto& [tid, events] : threads)
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.interval.begin < b.interval.begin; });
  return threads;
}

// Lengths in ns of the times of one stack, in regular steps.
struct Times {
  std::vector<double> inside, outside;

  void add(const Interval& time, const std::vector<Interval>& windows, const std::vector<Interval>& counted) {
    if (where(time, counted) == Where::kInWindow) inside.push_back(static_cast<double>(time.length()));
    if (where(time, windows) == Where::kOutside) outside.push_back(static_cast<double>(time.length()));
  }
};
using TimesByStack = std::unordered_map<uint32_t, Times>;

OutsideFactors factors_of(TimesByStack& by_stack) {
  OutsideFactors factors;
  for (auto& [stack, times] : by_stack) {
    if (times.inside.size() < kFewSteps || times.outside.size() < kFewSteps) continue;
    const double sum = std::accumulate(times.inside.begin(), times.inside.end(), 0.0);
    if (sum > 0) factors[stack] = median(std::move(times.outside)) * static_cast<double>(times.inside.size()) / sum;
  }
  return factors;
}

bool allocates(const trace::CallRecord& call) {
  const auto call_class = static_cast<trace::CallClass>(call.call_class);
  return call_class == trace::CallClass::kAllocate || call_class == trace::CallClass::kFree;
}

}  // namespace

OutsideFactors code_after_waits(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                const std::vector<Interval>& counted) {
  TimesByStack by_stack;
  if (steps.differ()) return {};  // then most of these times are short, and the few long ones matter
  for (const auto& [tid, events] : events_by_thread(trace)) {
    for (size_t i = 0; i + 1 < events.size(); ++i) {
      if (!events[i].is_wait || !steps.contains(events[i].interval.begin)) continue;
      // A burst may contain the launches before and after a wait: then the code between them is not known.
      const Interval code{events[i].interval.end, events[i + 1].interval.begin};
      if (code.end <= code.begin || (i != 0 && events[i - 1].interval.end > code.begin)) continue;
      by_stack[events[i].stack].add(code, windows, counted);
    }
  }
  return factors_of(by_stack);
}

OutsideFactors allocations_outside(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                   const std::vector<Interval>& counted) {
  // Short, stream-ordered calls are not listed outside of windows. If clearly fewer calls are listed there than in
  // windows, those that are listed are the long ones and do not represent the others.
  constexpr double kAsOften = 0.8;
  double steps_inside = 0, steps_outside = 0;
  for (const Interval& step : steps.regular) {
    steps_inside += where(step, counted) == Where::kInWindow;
    steps_outside += where(step, windows) == Where::kOutside;
  }
  TimesByStack by_stack;
  for (const auto& event : trace.calls)
    if (allocates(event.record) && steps.contains(event.record.begin_ns))
      by_stack[event.record.stack].add({event.record.begin_ns, event.record.begin_ns + event.record.duration_ns},
                                       windows, counted);
  std::erase_if(by_stack, [&](const auto& entry) {
    const auto& [stack, times] = entry;
    return static_cast<double>(times.outside.size()) * steps_inside <
           kAsOften * static_cast<double>(times.inside.size()) * steps_outside;
  });
  return factors_of(by_stack);
}

}  // namespace syncsniff::timeline
