#include "instrument/timeline/step_share.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "instrument/timeline/median.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

// A wait for another thread can at most double: one for a loader took 8.1 ms in windows and 9.5 outside, but a wait of
// some ns in windows must not become the step.
constexpr double kMostGotBack = 1;
// Most by which the host's time is scaled: unchanged steps of one trainer took 3.3 to 5.8 ms.
constexpr double kMostFaster = 2;

// Sums over lines, in ns: time whose length outside of windows is known, that length, and other waits for a thread or
// process.
struct MeasuredTime {
  double measured = 0, measured_outside = 0, waiting = 0;
};

template <class Counts>
MeasuredTime measured_time(const DeviceTimeline& device, Counts counts) {
  MeasuredTime time;
  for (const HostLine& line : device.host_lines) {
    if (!counts(line.doing)) continue;
    const auto ns = static_cast<double>(line.idle_ns);
    if (line.outside_factor > 0) {
      time.measured += ns;
      time.measured_outside += ns * line.outside_factor;
    } else if (line.waits_for_others()) {
      time.waiting += ns;
    }
  }
  return time;
}

// The host's speed varies from second to second, so windows that hold parts of steps show its time only within this
// factor. What is missing beyond that is in no window, since none opens while the host launches nothing: of a step of 4
// s that begins with 1.6 s of host work, they showed 2.9 s.
constexpr double kPartsDiffer = 1.25;

// Lengths of the regular steps that lie wholly in a window, and of those outside of all windows.
struct StepLengths {
  std::vector<double> inside, outside;
  bool comparable() const { return inside.size() >= kFewSteps && outside.size() >= kFewSteps; }
};

StepLengths step_lengths(const DeviceTimeline& device, const Steps& steps) {
  StepLengths lengths;
  for (const Interval& step : steps.regular) {
    const Interval* first = interval_at(device.windows, step.begin);
    const Interval* last = interval_at(device.windows, step.end);
    if (first != nullptr && first == last) lengths.inside.push_back(static_cast<double>(step.length()));
    if (first == nullptr && last == nullptr) lengths.outside.push_back(static_cast<double>(step.length()));
  }
  return lengths;
}

// How many ns more windows add to a step's enqueueing than to the step; 0: not known.
double hidden_ns(const EnqueueTime& enqueueing, const StepLengths& lengths) {
  if (!enqueueing.known() || !lengths.comparable()) return 0;
  const double step = median(lengths.inside) - median(lengths.outside);
  return std::max(0.0, enqueueing.in_windows_ns - enqueueing.outside_ns - std::max(0.0, step));
}

// If windows hold only parts of steps, or only the mean length of steps is known, then the launches show how much of a
// step the windows hold.
bool holds_parts(const DeviceTimeline& device, const Steps& steps, const StepLengths& lengths) {
  return device.launched_steps > 0 && (steps.evenly_cut || lengths.inside.size() < kMinSteps);
}

// The factor from the host's time in the windows to its time in the step.
double host_scale(double left_ns, double shown_ns, bool by_launches) {
  if (shown_ns <= 0 || (left_ns <= 0 && !by_launches)) return 1;
  const double scale = std::max(left_ns / shown_ns, 1 / kMostFaster);
  if (by_launches) return scale <= kPartsDiffer ? scale : 1;
  return std::min(scale, kMostFaster);
}

}  // namespace

double StepShare::of(const DeviceTimeline& device, HostDoing doing) const {
  const auto all = static_cast<double>(device.idle_by_doing[static_cast<size_t>(doing)]);
  if (!of_steps) return all * scale_of(doing);
  const MeasuredTime part = measured_time(device, [=](HostDoing one) { return one == doing; });
  const double rest = std::max(0.0, all - part.measured - part.waiting);
  return part.measured_outside / steps + part.waiting * waiting_scale + rest * scale_of(doing);
}

StepShare share_of_step(const DeviceTimeline& device, const Steps& steps) {
  StepShare share;
  const auto steady = static_cast<double>(device.steady_ns()), busy = static_cast<double>(device.steady_busy_ns());
  const double launching = static_cast<double>(device.idle_by_doing[static_cast<size_t>(HostDoing::kLaunching)]);
  share.step_ns = steady;
  share.busy_ns = std::min(busy, steady);
  share.idle_ns = steady - share.busy_ns;
  if (!steps.found() || steady <= 0) return share;
  const StepLengths lengths = step_lengths(device, steps);
  const std::vector<double>& inside = lengths.inside;
  const double typical = steps.typical_ns();
  const double mean_inside =
      inside.empty() ? typical
                     : std::accumulate(inside.begin(), inside.end(), 0.0) / static_cast<double>(inside.size());
  // If steps differ so much, a median shows neither what windows cost nor what one long call adds.
  const double slowed =
      !steps.differ() && lengths.comparable() ? std::max(1.0, median(inside) / median(lengths.outside)) : 1.0;
  const MeasuredTime code = measured_time(device, [](HostDoing) { return true; });
  // Sums over all windows. What code takes longer outside of them is taken off launching. Code time that exists because
  // a few long calls make the windows' mean step longer than their median one (`dropped`) is in no typical step.
  const double uneven =
      inside.empty() || steps.differ() ? 0 : std::max(0.0, steady * (1 - median(inside) / mean_inside));
  const double dropped = std::clamp(code.measured - code.measured_outside, 0.0, uneven);
  const double excess = steady * (1 - 1 / slowed) + code.measured_outside + dropped - code.measured;
  const double rest = std::max(0.0, share.idle_ns - launching - code.measured);
  const double kept = std::max(0.0, launching - excess);
  // What exceeds the launching time is taken off the rest of the idle time.
  const double untaken = std::max(0.0, excess - launching);
  const double rest_scale = rest > 0 ? std::max(0.0, rest - untaken) / rest : 1;
  share.of_steps = true;
  share.by_launches = holds_parts(device, steps, lengths);
  // The GPU's work takes no longer than the steps, and windows slow the host down by at most kMostFaster.
  share.steps = share.by_launches
                    ? std::max({device.launched_steps, share.busy_ns / typical, steady / typical / kMostFaster})
                    : steady / mean_inside;
  const double waiting = code.waiting;
  // Time by which windows lengthen launching but not the step, less what measured code takes longer outside of windows.
  const double hidden =
      std::max(0.0, hidden_ns(device.enqueue_time, lengths) * share.steps - (code.measured_outside - code.measured));
  const double moved = std::min({kept, hidden, kMostGotBack * waiting});
  share.launching_scale = launching > 0 ? (kept - moved) / launching / share.steps : 1 / share.steps;
  share.other_scale = rest_scale / share.steps;
  share.waiting_scale = share.other_scale + (waiting > 0 ? moved / waiting / share.steps : 0);
  share.busy_ns /= share.steps;
  // The host's speed varies from second to second, and windows show few seconds. The device's work takes equally long
  // in each step; all other time is scaled to the step that the report names.
  const double outside = code.measured_outside / share.steps, shown = (kept + rest * rest_scale) / share.steps;
  const double left = typical - share.busy_ns - outside;
  const double faster = host_scale(left, shown, share.by_launches);
  if (share.by_launches) share.unseen_ns = std::max(0.0, left - shown * faster);
  share.launching_scale *= faster;
  share.other_scale *= faster;
  share.waiting_scale *= faster;
  share.idle_ns = shown * faster + outside + share.unseen_ns;
  share.step_ns = share.busy_ns + share.idle_ns;
  return share;
}

}  // namespace syncsniff::timeline
