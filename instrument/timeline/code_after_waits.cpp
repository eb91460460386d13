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

struct ThreadEvent {
  Interval interval;
  uint32_t stack = 0;
  bool is_wait = false;
};

// Those events of each thread that are recorded in windows and outside of them alike.
std::map<uint32_t, std::vector<ThreadEvent>> events_by_thread(const reader::Trace& trace) {
  std::map<uint32_t, std::vector<ThreadEvent>> threads;
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
              [](const ThreadEvent& a, const ThreadEvent& b) { return a.interval.begin < b.interval.begin; });
  return threads;
}

// A stack with more times than this in each step, such as a copy of each parameter, has short and long ones in every
// step: their median shows nothing, but the sums of steps do.
constexpr double kOnceAStep = 1.5;

double mean(const std::vector<double>& all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

// In windows and outside of them.
struct Lengths {
  std::vector<double> inside, outside;

  bool are_enough() const { return inside.size() >= kFewSteps && outside.size() >= kFewSteps; }
  double factor() const { return mean(inside) > 0 ? median(outside) / mean(inside) : 0; }
};

// Lengths in ns of the times of one stack, in regular steps.
struct Times {
  size_t number = 0;
  Lengths each;
  std::map<size_t, double> steps;  // by number of the step: all of its times together
};

class TimesByStack {
 public:
  TimesByStack(const Steps& steps, const std::vector<Interval>& windows, const std::vector<Interval>& counted)
      : steps_(steps), windows_(windows), counted_(counted) {}

  void add(uint32_t stack, const Interval& time) {
    const auto step = static_cast<size_t>(interval_at(steps_.regular, time.begin) - steps_.regular.data());
    Times& times = by_stack_[stack];
    const auto length = static_cast<double>(time.length());
    ++times.number;
    times.steps[step] += length;
    if (where(time, counted_) == Where::kInWindow) times.each.inside.push_back(length);
    if (where(time, windows_) == Where::kOutside) times.each.outside.push_back(length);
  }

  template <class Leave>
  OutsideFactors factors(Leave leaves_out) const {
    OutsideFactors factors;
    for (const auto& [stack, times] : by_stack_) {
      if (!times.each.are_enough() || leaves_out(times)) continue;
      if (const double factor = factor_of(times); factor > 0) factors[stack] = factor;
    }
    return factors;
  }

 private:
  double factor_of(const Times& times) const {
    Lengths sums;
    for (const auto& [number, length] : times.steps) {
      const Interval& step = steps_.regular[number];
      if (where(step, counted_) == Where::kInWindow) sums.inside.push_back(length);
      if (where(step, windows_) == Where::kOutside) sums.outside.push_back(length);
    }
    if (static_cast<double>(times.number) <= kOnceAStep * static_cast<double>(times.steps.size()))
      return times.each.factor();
    if (sums.are_enough()) return sums.factor();
    const double inside = mean(times.each.inside);  // windows hold parts of steps
    return inside > 0 ? mean(times.each.outside) / inside : 0;
  }

  const Steps& steps_;
  const std::vector<Interval>&windows_, &counted_;
  std::unordered_map<uint32_t, Times> by_stack_;
};

bool allocates(const trace::CallRecord& call) {
  const auto call_class = static_cast<trace::CallClass>(call.call_class);
  return call_class == trace::CallClass::kAllocate || call_class == trace::CallClass::kFree;
}

}  // namespace

OutsideFactors code_after_waits(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows,
                                const std::vector<Interval>& counted) {
  if (steps.differ()) return {};  // then most of these times are short, and the few long ones matter
  TimesByStack by_stack(steps, windows, counted);
  for (const auto& [tid, events] : events_by_thread(trace)) {
    for (size_t i = 0; i + 1 < events.size(); ++i) {
      if (!events[i].is_wait || !steps.contains(events[i].interval.begin)) continue;
      // A burst may contain the launches before and after a wait: then the code between them is not known.
      const Interval code{events[i].interval.end, events[i + 1].interval.begin};
      if (code.end <= code.begin || (i != 0 && events[i - 1].interval.end > code.begin)) continue;
      if (steps.contains(code.begin)) by_stack.add(events[i].stack, code);
    }
  }
  return by_stack.factors([](const Times&) { return false; });
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
  TimesByStack by_stack(steps, windows, counted);
  for (const auto& event : trace.calls)
    if (allocates(event.record) && steps.contains(event.record.begin_ns))
      by_stack.add(event.record.stack, {event.record.begin_ns, event.record.begin_ns + event.record.duration_ns});
  return by_stack.factors([&](const Times& times) {
    return static_cast<double>(times.each.outside.size()) * steps_inside <
           kAsOften * static_cast<double>(times.each.inside.size()) * steps_outside;
  });
}

}  // namespace syncsniff::timeline
