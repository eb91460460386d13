#include "instrument/timeline/windows.h"

#include <algorithm>

namespace syncsniff::timeline {

std::vector<Interval> find_windows(const reader::Trace& trace) {
  std::vector<Interval> windows;
  if (trace.header.mode() == trace::TimelineMode::kFull && !trace.gpu_work.empty()) return {{0, UINT64_MAX}};
  const uint64_t end = trace.end_ns();
  for (const auto& record : trace.windows) {
    Interval window{record.begin_ns, record.end_ns != 0 ? record.end_ns : end};
    if (!windows.empty()) window.begin = std::max(window.begin, windows.back().end);
    if (window.length() != 0) windows.push_back(window);
  }
  return windows;
}

const Interval* interval_at(const std::vector<Interval>& intervals, uint64_t time_ns) {
  auto it = std::upper_bound(intervals.begin(), intervals.end(), time_ns,
                             [](uint64_t time, const Interval& interval) { return time < interval.begin; });
  if (it == intervals.begin() || time_ns >= std::prev(it)->end) return nullptr;
  return &*std::prev(it);
}

Interval whole_steps(const Interval& window, uint64_t known_from_ns, const std::vector<Interval>& steps) {
  const uint64_t from = std::max(window.begin, known_from_ns);
  const auto first =
      std::partition_point(steps.begin(), steps.end(), [&](const Interval& step) { return step.begin < from; });
  const auto past =
      std::partition_point(first, steps.end(), [&](const Interval& step) { return step.end <= window.end; });
  return first == past ? Interval{} : Interval{first->begin, std::prev(past)->end};
}

Where where(const Interval& interval, const std::vector<Interval>& windows) {
  const Interval* const first = interval_at(windows, interval.begin);
  if (first != interval_at(windows, interval.end)) return Where::kAcross;
  if (first != nullptr) return Where::kInWindow;
  const auto next = std::lower_bound(windows.begin(), windows.end(), interval.begin,
                                     [](const Interval& window, uint64_t time) { return window.begin < time; });
  return next != windows.end() && next->begin < interval.end ? Where::kAcross : Where::kOutside;
}

}  // namespace syncsniff::timeline
