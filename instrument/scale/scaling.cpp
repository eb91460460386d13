#include "instrument/scale/scaling.h"

#include <algorithm>
#include <cmath>

#include "instrument/report/report_command.h"
#include "instrument/report/units.h"

namespace syncsniff::scale {
namespace {

using compare::DeviceFigures;
using compare::RunFigures;

constexpr double kSameWork = 0.02;

Point point_of(const Measured& measured) {
  Point point;
  point.value = measured.value.number;
  point.times_ns = measured.run.steps.times_ns;
  point.median_ns = measured.run.steps.median_ns;
  if (const DeviceFigures* device = most_idle_device(measured.run); device != nullptr && device->of_steps)
    point.busy = device->busy;
  return point;
}

bool alike(double a, double b) { return std::abs(a - b) <= kSameWork * std::max(std::abs(a), std::abs(b)); }

// True if neither GPU work nor launches change with the value: then the program probably ignores the variable.
bool nothing_changes(const Scaling& scaling) {
  const RunFigures &first = scaling.runs.front().run, &last = scaling.runs.back().run;
  const DeviceFigures *a = most_idle_device(first), *b = most_idle_device(last);
  if (a == nullptr || b == nullptr || !first.steps.found() || !last.steps.found()) return false;
  return alike(a->busy * a->step_ns, b->busy * b->step_ns) && alike(first.of_step.launches, last.of_step.launches) &&
         alike(first.of_step.copied_bytes, last.of_step.copied_bytes);
}

bool is_in_the_command(const Scaling& scaling) {
  const std::string mark = "{" + scaling.name + "}";
  return std::any_of(scaling.command.begin(), scaling.command.end(),
                     [&](const std::string& word) { return word.find(mark) != std::string::npos; });
}

// "BATCH=32, 64": the values of the runs for which `is` holds; empty if there are none.
template <class Is>
std::string values_where(const Scaling& scaling, Is is) {
  std::string text;
  for (const Measured& one : scaling.runs)
    if (is(one.run)) text += (text.empty() ? scaling.name + "=" : ", ") + one.value.text;
  return text;
}

std::vector<std::string> notes_of(const Scaling& scaling) {
  std::vector<std::string> notes;
  const auto add = [&](const std::string& values, const std::string& what) {
    if (!values.empty()) notes.push_back(values + ": " + what);
  };
  add(values_where(scaling, [](const RunFigures& run) { return !run.steps.found(); }),
      "no steps were found; define a step with --step");
  add(values_where(
          scaling,
          [](const RunFigures& run) { return run.steps.found() && run.steps.times_ns.size() < compare::kFewestSteps; }),
      "too few steps, or only their mean time is known: let the program run longer");
  add(values_where(scaling, [](const RunFigures& run) { return run.steps.found() && run.steps.confidence == "low"; }),
      "the steps are a guess (confidence low); define a step with --step");
  add(values_where(scaling, [](const RunFigures& run) { return most_idle_device(run) == nullptr; }),
      "GPU activity was not recorded, so how busy the GPU was is not known: let the program run for some seconds, "
      "without --timeline=off");
  add(values_where(scaling, [](const RunFigures& run) { return run.dropped_records != 0; }),
      "records were dropped: the figures are too low");
  if (nothing_changes(scaling))
    notes.push_back("GPU work, launches and bytes are the same at " + scaling.name + "=" +
                    scaling.runs.front().value.text + " and " + scaling.runs.back().value.text +
                    ": does the program read " +
                    (is_in_the_command(scaling) ? "this argument?"
                                                : scaling.name + " from the environment? {" + scaling.name +
                                                      "} in its arguments is replaced by the value"));
  return notes;
}

// What the host does while the GPU waits, at a point where the host's overhead dominates.
std::string host_text(const Scaling& scaling, size_t i) {
  const DeviceFigures* device = most_idle_device(scaling.runs[i].run);
  if (device == nullptr) return "";
  std::string text = "at " + scaling.name + "=" + scaling.runs[i].value.text + " the GPU idles for " +
                     report::format_number("%.0f %%", 100 * device->idle) + " of a step, while the host: ";
  for (size_t k = 0; k < std::min<size_t>(2, device->host.size()); ++k)
    text += (k == 0 ? "" : ", ") + device->host[k].first + " " +
            report::format_number("%.0f %%", 100 * device->host[k].second);
  return text + "; " + report::report_command({scaling.runs[i].run.path}, {}, {}) + " names the lines";
}

std::string turn_text(const Scaling& scaling) {
  const Turn& turn = *scaling.curve.turn;
  const std::string name = scaling.name + "=";
  return "the step time starts to grow between " + name + scaling.runs[turn.last_flat].value.text + " and " +
         scaling.runs[turn.first_bound].value.text + ", at about " + report::format_number("%.3g", turn.value) +
         ", where the line through the larger values meets the level of the smaller ones";
}

bool all_are(const Curve& curve, std::initializer_list<Regime> regimes) {
  return std::all_of(curve.regimes.begin(), curve.regimes.end(),
                     [&](Regime regime) { return std::find(regimes.begin(), regimes.end(), regime) != regimes.end(); });
}

}  // namespace

const DeviceFigures* most_idle_device(const RunFigures& run) {
  const auto less = [](const DeviceFigures& a, const DeviceFigures& b) { return a.idle < b.idle; };
  const auto most = std::max_element(run.devices.begin(), run.devices.end(), less);
  return most == run.devices.end() ? nullptr : &*most;
}

std::vector<std::string> sentences_of(const Scaling& scaling) {
  const Curve& curve = scaling.curve;
  const std::string first = scaling.runs.front().value.text, last = scaling.runs.back().value.text;
  std::vector<std::string> lines;
  const auto has = [&](Regime regime) {
    return std::find(curve.regimes.begin(), curve.regimes.end(), regime) != curve.regimes.end();
  };
  if (curve.turn)
    lines.push_back(turn_text(scaling));
  else if (all_are(curve, {Regime::kOverheadBound, Regime::kNotFilled, Regime::kFlat}))
    lines.push_back("the step time does not grow up to " + scaling.name + "=" + last +
                    ": a larger value costs hardly any time");
  else if (all_are(curve, {Regime::kGpuBound, Regime::kGpuPartly}))
    lines.push_back("it is GPU-bound from " + scaling.name + "=" + first + " on");
  if (has(Regime::kOverheadBound))
    for (size_t i = 0; i < curve.regimes.size(); ++i)
      if (curve.regimes[i] == Regime::kOverheadBound) {
        lines.push_back(host_text(scaling, i));
        break;
      }
  if (has(Regime::kHostBound))
    lines.push_back("host-bound: a step grows with " + scaling.name +
                    " while the GPU idles, so the host's own work grows with it, as loading of data does");
  if (has(Regime::kGpuBound) || has(Regime::kGpuPartly))
    lines.push_back(
        "GPU-bound: whether by compute or by memory is not known, since no counters of the kernels were recorded");
  return lines;
}

Scaling scaling_of(const std::string& name, const std::vector<std::string>& command, std::vector<Measured> runs) {
  Scaling scaling;
  scaling.name = name;
  scaling.command = command;
  scaling.runs = std::move(runs);
  std::vector<Point> points;
  for (const Measured& measured : scaling.runs) points.push_back(point_of(measured));
  scaling.curve = read_curve(points);
  scaling.notes = notes_of(scaling);
  return scaling;
}

}  // namespace syncsniff::scale
