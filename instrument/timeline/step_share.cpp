#include "instrument/timeline/step_share.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "instrument/timeline/median.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kFewSteps = 5;  // a median of fewer says little

}  // namespace

StepShare share_of_step(const DeviceTimeline& device, const Steps& steps) {
  StepShare share;
  const auto steady = static_cast<double>(device.steady_ns()), busy = static_cast<double>(device.busy_ns);
  const double launching = static_cast<double>(device.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)]);
  share.step_ns = steady;
  share.busy_ns = std::min(busy, steady);
  share.idle_ns = steady - share.busy_ns;
  if (!steps.found() || steady <= 0) return share;
  std::vector<double> inside, outside;
  for (const Interval& step : steps.regular) {
    const Interval* first = interval_at(device.spans, step.begin);
    const Interval* last = interval_at(device.spans, step.end);
    if (first != nullptr && first == last) inside.push_back(static_cast<double>(step.length()));
    if (first == nullptr && last == nullptr) outside.push_back(static_cast<double>(step.length()));
  }
  const auto median = static_cast<double>(steps.median_ns);
  const double mean_inside =
      inside.empty() ? median : std::accumulate(inside.begin(), inside.end(), 0.0) / static_cast<double>(inside.size());
  const double slowed = inside.size() >= kFewSteps && outside.size() >= kFewSteps
                            ? std::max(1.0, timeline::median(inside) / timeline::median(outside))
                            : 1.0;
  const double excess = steady * (1 - 1 / slowed);  // of all windows
  const double rest = share.idle_ns - launching;
  const double kept = std::max(0.0, launching - excess);
  // What launching cannot account for is taken off all of the idle time.
  const double left = std::max(0.0, excess - launching);
  const double rest_scale = rest > 0 ? std::max(0.0, rest - left) / rest : 1;
  share.of_steps = true;
  share.steps = steady / mean_inside;
  share.launching_scale = launching > 0 ? kept / launching / share.steps : 1 / share.steps;
  share.other_scale = rest_scale / share.steps;
  share.busy_ns /= share.steps;
  share.idle_ns = (kept + rest * rest_scale) / share.steps;
  share.step_ns = share.busy_ns + share.idle_ns;
  return share;
}

}  // namespace syncsniff::timeline
