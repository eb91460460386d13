#include "instrument/report/gates.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "instrument/report/host_parts.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {
namespace {

using timeline::Analysis;
using timeline::HostDoing;

constexpr double kMs = 1e6;

// The device that idles most, since a gate must hold for each device, not for their mean.
std::optional<timeline::StepShare> worst_share(const Analysis& analysis, const timeline::DeviceTimeline** device) {
  std::optional<timeline::StepShare> worst;
  for (const auto& candidate : analysis.devices) {
    const timeline::StepShare share = timeline::share_of_step(candidate, analysis.steps);
    if (share.step_ns <= 0 || (worst && share.idle_ns / share.step_ns <= worst->idle_ns / worst->step_ns)) continue;
    worst = share;
    *device = &candidate;
  }
  return worst;
}

std::optional<double> per_step_ms(const Analysis& analysis, uint64_t ns) {
  if (!analysis.steps.found()) return std::nullopt;
  return static_cast<double>(ns) / analysis.measured_steps() / kMs;
}

std::optional<double> of_device(const Analysis& analysis, const std::string& figure) {
  const timeline::DeviceTimeline* device = nullptr;
  const auto share = worst_share(analysis, &device);
  if (!share) return std::nullopt;
  const auto percent = [&](double ns) { return 100 * ns / share->step_ns; };
  const auto doing = [&](HostDoing what) { return percent(part_ns(host_parts(*device, *share), what)); };
  if (figure == "idle_pct") return percent(share->idle_ns);
  if (figure == "busy_pct") return percent(share->busy_ns);
  if (figure == "launching_pct") return doing(HostDoing::kLaunching);
  if (figure == "host_code_pct") return doing(HostDoing::kCode);
  if (!share->of_steps) return std::nullopt;
  return share->idle_ns / kMs;  // idle_ms_per_step
}

struct Figure {
  const char* name;
  bool of_device;  // depends on GPU activity; the other figures depend on steps
  std::optional<double> (*of)(const Analysis& analysis);
};
constexpr Figure kFigures[] = {
    {"idle_pct", true, [](const Analysis& a) { return of_device(a, "idle_pct"); }},
    {"busy_pct", true, [](const Analysis& a) { return of_device(a, "busy_pct"); }},
    {"launching_pct", true, [](const Analysis& a) { return of_device(a, "launching_pct"); }},
    {"host_code_pct", true, [](const Analysis& a) { return of_device(a, "host_code_pct"); }},
    {"idle_ms_per_step", true, [](const Analysis& a) { return of_device(a, "idle_ms_per_step"); }},
    {"sync_ms_per_step", false, [](const Analysis& a) { return per_step_ms(a, a.stepping.blocked_ns); }},
    {"step_ms", false,
     [](const Analysis& a) {
       return a.steps.found() ? std::optional(static_cast<double>(a.steps.median_ns) / kMs) : std::nullopt;
     }},
    {"launches_per_step", false,
     [](const Analysis& a) {
       return a.steps.found() ? std::optional(static_cast<double>(a.stepping.launches) / a.measured_steps())
                              : std::nullopt;
     }},
};

std::string figure_list() {
  std::string text;
  for (const std::string& name : known_figures()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// Parses a limit: "30" and " 30" limit a figure; "+2%" and "-5" its change.
void parse_limit(const std::string& text, size_t at, Gate& gate) {
  std::string limit = text.substr(std::min(text.find_first_not_of(' ', at), text.size()));
  gate.of_change = !limit.empty() && (limit[0] == '+' || limit[0] == '-');
  if (gate.of_change && limit.back() == '%') {
    gate.percent = true;
    limit.pop_back();
  }
  const size_t begin = gate.of_change && limit[0] == '+' ? 1 : 0;  // from_chars does not accept a plus sign
  const bool two_signs = begin == 1 && limit.size() > 1 && limit[1] == '-';
  const char* const end = limit.data() + limit.size();
  const auto [stop, error] = std::from_chars(limit.data() + begin, end, gate.limit);
  if (!gate.of_change && error == std::errc() && stop + 1 == end && *stop == '%')
    throw GateError("--fail-on=" + text + ": a percentage is of a change, and needs a sign: " + gate.figure +
                    text.substr(text.find_first_of("<>"), 1) + "+" + limit);
  if (error != std::errc() || stop != end || two_signs || !std::isfinite(gate.limit))
    throw GateError("--fail-on=" + text + ": the limit is not a number; write for example " + gate.figure + ">30");
}

}  // namespace

Gate parse_gate(const std::string& text) {
  Gate gate;
  gate.text = text;
  const size_t at = text.find_first_of("<>");
  gate.figure = text.substr(0, at);
  while (!gate.figure.empty() && gate.figure.back() == ' ') gate.figure.pop_back();
  const bool is_known = std::any_of(std::begin(kFigures), std::end(kFigures),
                                    [&](const Figure& figure) { return gate.figure == figure.name; });
  if (at == std::string::npos || !is_known)
    throw GateError("--fail-on=" + text + ": write FIGURE>LIMIT or FIGURE<LIMIT with one of " + figure_list());
  gate.above = text[at] == '>';
  parse_limit(text, at + 1, gate);
  return gate;
}

std::vector<std::string> known_figures() {
  std::vector<std::string> names;
  for (const Figure& figure : kFigures) names.push_back(figure.name);
  return names;
}

Figures figures_of(const RunReport& report) {
  Figures figures;
  for (const Figure& figure : kFigures) figures[figure.name] = figure.of(report.analysis);
  return figures;
}

bool fails(const Gate& gate, double value) { return gate.above ? value > gate.limit : value < gate.limit; }

std::string failure_line(const Gate& gate, double value) {
  return "--fail-on=" + gate.text + ": " + gate.figure + " is " + number(value);
}

std::string unknown_line(const Gate& gate, const std::string& run) {
  const bool of_device = std::any_of(std::begin(kFigures), std::end(kFigures), [&](const Figure& figure) {
    return figure.of_device && gate.figure == figure.name;
  });
  return "--fail-on=" + gate.text + ": " + run + " does not contain " + gate.figure + ", " +
         (of_device
              ? "which needs GPU activity: record it with --timeline=windows or --timeline=full, and longer if no "
                "window was opened"
              : "since no step was found: define one with --step");
}

std::vector<std::string> failed_gates(const RunReport& report, const std::vector<Gate>& gates) {
  std::vector<std::string> failed;
  const Figures figures = figures_of(report);
  for (const Gate& gate : gates) {
    const std::optional<double> value = figures.at(gate.figure);
    if (!value)
      failed.push_back(unknown_line(gate, "this run"));
    else if (fails(gate, *value))
      failed.push_back(failure_line(gate, *value));
  }
  return failed;
}

}  // namespace syncsniff::report
