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

struct MostIdle {
  const timeline::DeviceTimeline* device = nullptr;
  timeline::StepShare share;

  double percent(double ns) const { return 100 * ns / share.step_ns; }
  double percent_doing(HostDoing doing) const { return percent(part_ns(host_parts(*device, share), doing)); }
};

// The device that idles most, since a gate must hold for each device, not for their mean. `device` is null if none was
// recorded.
MostIdle most_idle(const Analysis& analysis) {
  MostIdle most;
  for (const auto& candidate : analysis.devices) {
    const timeline::StepShare share = timeline::share_of_step(candidate, analysis.steps);
    if (share.step_ns <= 0) continue;
    if (most.device && share.idle_ns / share.step_ns <= most.share.idle_ns / most.share.step_ns) continue;
    most = {&candidate, share};
  }
  return most;
}

std::optional<double> per_step_ms(const Analysis& analysis, uint64_t ns) {
  if (!analysis.steps.found()) return std::nullopt;
  return static_cast<double>(ns) / analysis.measured_steps() / kMs;
}

struct Figure {
  const char* name;
  bool of_device;  // depends on GPU activity, and is known only of a recorded device; the others depend on steps
  std::optional<double> (*of)(const Analysis& analysis, const MostIdle& gpu);
};
constexpr Figure kFigures[] = {
    {"idle_pct", true,
     [](const Analysis&, const MostIdle& gpu) { return std::optional(gpu.percent(gpu.share.idle_ns)); }},
    {"busy_pct", true,
     [](const Analysis&, const MostIdle& gpu) { return std::optional(gpu.percent(gpu.share.busy_ns)); }},
    {"launching_pct", true,
     [](const Analysis&, const MostIdle& gpu) { return std::optional(gpu.percent_doing(HostDoing::kLaunching)); }},
    {"host_code_pct", true,
     [](const Analysis&, const MostIdle& gpu) { return std::optional(gpu.percent_doing(HostDoing::kCode)); }},
    {"idle_ms_per_step", true,
     [](const Analysis&, const MostIdle& gpu) {
       return gpu.share.of_steps ? std::optional(gpu.share.idle_ns / kMs) : std::nullopt;
     }},
    {"sync_ms_per_step", false,
     [](const Analysis& a, const MostIdle&) { return per_step_ms(a, a.stepping.blocked_ns); }},
    {"step_ms", false,
     [](const Analysis& a, const MostIdle&) {
       return a.steps.found() ? std::optional(static_cast<double>(a.steps.median_ns) / kMs) : std::nullopt;
     }},
    {"launches_per_step", false,
     [](const Analysis& a, const MostIdle&) {
       return a.steps.found() ? std::optional(static_cast<double>(a.stepping.launches) / a.measured_steps())
                              : std::nullopt;
     }},
};

std::string figure_list() {
  std::string text;
  for (const Figure& figure : kFigures) text += (text.empty() ? "" : ", ") + std::string(figure.name);
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

Figures figures_of(const RunReport& report) {
  Figures figures;
  const MostIdle gpu = most_idle(report.analysis);
  for (const Figure& figure : kFigures)
    figures[figure.name] = figure.of_device && !gpu.device ? std::nullopt : figure.of(report.analysis, gpu);
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
