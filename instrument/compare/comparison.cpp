#include "instrument/compare/comparison.h"

#include <algorithm>
#include <map>

#include "instrument/compare/comparison_notes.h"
#include "instrument/compare/line_changes.h"

namespace syncsniff::compare {
namespace {

const CallFigures& calls_of(const RunFigures& run, bool by_step) { return by_step ? run.of_step : run.of_second; }

std::vector<Figure> figures_of(const Comparison& change) {
  const CallFigures &a = calls_of(change.a, change.by_step), &b = calls_of(change.b, change.by_step);
  return {{"host blocked", Unit::kTime, a.blocked_ns, b.blocked_ns, 0},
          {"launches", Unit::kCount, a.launches, b.launches, 0},
          {"bytes copied", Unit::kBytes, a.copied_bytes, b.copied_bytes, 0}};
}

// The length that a device's shares refer to, in ns: its step, or a second.
double length_of(const DeviceFigures& device, bool by_step) { return by_step ? device.step_ns : kSecondNs; }

using Shares = std::map<std::string, double>;  // by name

// `before`: stands before each name.
void add_parts(const std::string& before, const Shares& a, const Shares& b, double a_ns, double b_ns,
               std::vector<Figure>& figures) {
  Shares names = a;
  names.insert(b.begin(), b.end());
  const auto share = [](const Shares& shares, const std::string& name) {
    const auto found = shares.find(name);
    return found == shares.end() ? 0 : found->second;
  };
  std::vector<Figure> parts;
  for (const auto& [name, either] : names)
    parts.push_back({before + name, Unit::kTime, share(a, name) * a_ns, share(b, name) * b_ns, 1});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Figure& x, const Figure& y) { return std::max(*x.a, *x.b) > std::max(*y.a, *y.b); });
  figures.insert(figures.end(), parts.begin(), parts.end());
}

DeviceChange device_change(const DeviceFigures& a, const DeviceFigures& b, bool by_step, bool totals_only) {
  const double a_ns = length_of(a, by_step), b_ns = length_of(b, by_step);
  DeviceChange change;
  change.device = b.device;
  change.figures = {{"GPU busy", Unit::kShare, a.busy, b.busy, 0},
                    {"GPU work", Unit::kTime, a.busy * a_ns, b.busy * b_ns, 0},
                    {"GPU idle", Unit::kTime, a.idle * a_ns, b.idle * b_ns, 0}};
  add_parts("run dry by ", {a.causes.begin(), a.causes.end()}, {b.causes.begin(), b.causes.end()}, a_ns, b_ns,
            change.figures);
  add_parts("the host: ", {a.host.begin(), a.host.end()}, {b.host.begin(), b.host.end()}, a_ns, b_ns, change.figures);
  if (!totals_only) change.lines = idle_changes(a, b, a_ns, b_ns);
  return change;
}

std::vector<StepTimes> times_of(const RunFigures& run) {
  if (run.recordings.empty()) return {run.steps.times_ns};
  std::vector<StepTimes> times;
  for (const Recording& recording : run.recordings) times.push_back(recording.times_ns);
  return times;
}

void compare_steps(Comparison& change) {
  change.a_steps = spread_of(change.a.steps.times_ns);
  change.b_steps = spread_of(change.b.steps.times_ns);
  change.step = ratio_of_medians(times_of(change.a), times_of(change.b));
  const double before = change.a.steps.median_ns, after = change.b.steps.median_ns;
  if (before <= 0 || after <= 0) return;
  change.step.ratio = after / before;
  if (!change.step.known) change.step.low = change.step.high = change.step.ratio;
}

}  // namespace

Comparison compare(RunFigures a, RunFigures b, bool totals_only) {
  Comparison change;
  change.a = std::move(a);
  change.b = std::move(b);
  change.by_step = change.a.steps.found() && change.b.steps.found();
  change.length_ns = change.by_step ? std::max(change.a.steps.median_ns, change.b.steps.median_ns) : kSecondNs;
  if (change.by_step) compare_steps(change);
  change.figures = figures_of(change);
  const size_t devices = std::min(change.a.devices.size(), change.b.devices.size());
  for (size_t i = 0; i < devices; ++i)
    change.devices.push_back(device_change(change.a.devices[i], change.b.devices[i], change.by_step, totals_only));
  if (!totals_only) change.calls = call_changes(calls_of(change.a, change.by_step), calls_of(change.b, change.by_step));
  change.notes = notes_of(change);
  return change;
}

}  // namespace syncsniff::compare
