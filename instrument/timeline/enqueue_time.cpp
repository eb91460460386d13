#include "instrument/timeline/enqueue_time.h"

#include <algorithm>
#include <set>

#include "instrument/timeline/median.h"
#include "instrument/timeline/sites.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

// The bursts of the threads that wait, with overlaps merged. Bursts of other threads (autograd's engine) are left out,
// since they do not end where a step ends.
std::vector<Interval> enqueueing(const reader::Trace& trace) {
  std::set<uint32_t> waiting;
  for (const auto& event : trace.calls)
    if (waited(event.record)) waiting.insert(event.tid);
  std::vector<Interval> bursts;
  for (const auto& event : trace.bursts) {
    const Interval burst{event.record.first_begin_ns, event.record.last_end_ns};
    if (burst.length() != 0 && waiting.contains(event.tid)) bursts.push_back(burst);
  }
  std::sort(bursts.begin(), bursts.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> merged;
  for (const Interval& burst : bursts) {
    if (merged.empty() || burst.begin > merged.back().end)
      merged.push_back(burst);
    else
      merged.back().end = std::max(merged.back().end, burst.end);
  }
  return merged;
}

}  // namespace

EnqueueTime enqueue_time(const reader::Trace& trace, const Steps& steps, const std::vector<Interval>& windows) {
  const std::vector<Interval> busy = enqueueing(trace);
  std::vector<double> in_windows, outside;
  auto at = busy.begin();
  for (const Interval& step : steps.regular) {
    while (at != busy.end() && at->begin < step.begin) ++at;
    const Where whole = where(step, windows);
    uint64_t sum = 0;
    bool alike = true;
    for (; at != busy.end() && at->begin < step.end; ++at) {
      sum += at->length();
      alike = alike && where(*at, windows) == whole;
    }
    if (sum == 0 || !alike || whole == Where::kAcross) continue;
    (whole == Where::kInWindow ? in_windows : outside).push_back(static_cast<double>(sum));
  }
  if (in_windows.size() < kFewSteps || outside.size() < kFewSteps) return {};
  return {median(std::move(in_windows)), median(std::move(outside))};
}

}  // namespace syncsniff::timeline
