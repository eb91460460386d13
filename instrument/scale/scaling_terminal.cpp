#include <algorithm>
#include <cmath>
#include <sstream>

#include "instrument/report/terminal_table.h"
#include "instrument/report/units.h"
#include "instrument/scale/scaling.h"
#include "rules/untrusted_text.h"

namespace syncsniff::scale {
namespace {

using compare::DeviceFigures;
using report::Colour;
using report::kReportWidth;
using report::pad_left;
using report::Style;

constexpr size_t kValue = 12, kCell = 10, kGrowth = 20;

std::string time_text(double ns) { return report::format_time(static_cast<uint64_t>(std::max(0.0, ns) + 0.5)); }

// Rounded to whole per cent, without a sign for zero.
std::string percent(double share) { return report::format_number("%.0f", std::round(100 * share) + 0.0); }

std::string growth_text(const Growth& growth) {
  if (!growth.known) return "-";
  return percent(growth.time) + " % (" + percent(growth.low) + " to " + percent(growth.high) + ")";
}

Colour colour_of(Regime regime) {
  if (regime == Regime::kOverheadBound || regime == Regime::kHostBound || regime == Regime::kNotFilled)
    return Colour::kYellow;
  return regime == Regime::kGpuBound || regime == Regime::kGpuPartly ? Colour::kGreen : Colour::kPlain;
}

void head(const Scaling& scaling, const Style& style, std::ostream& out) {
  std::string text = pad_left(scaling.name, kValue);
  for (const char* cell : {"a step", "per unit"}) text += pad_left(cell, kCell);
  text += pad_left("grows to the next", kGrowth);
  for (const char* cell : {"GPU busy", "GPU work", "launches"}) text += pad_left(cell, kCell);
  out << style(Colour::kBold, text + "  regime") << '\n';
}

void row(const Scaling& scaling, size_t i, const Style& style, std::ostream& out) {
  const Measured& one = scaling.runs[i];
  const compare::StepFigures& steps = one.run.steps;
  const DeviceFigures* device = most_idle_device(one.run);
  const bool is_known = device != nullptr && device->of_steps;
  const Regime regime = scaling.curve.regimes[i];
  out << pad_left(one.value.text, kValue) << pad_left(steps.found() ? time_text(steps.median_ns) : "-", kCell)
      << pad_left(steps.found() ? time_text(steps.median_ns / one.value.number) : "-", kCell)
      << pad_left(i < scaling.curve.growth.size() ? growth_text(scaling.curve.growth[i]) : "", kGrowth)
      << pad_left(is_known ? report::format_number("%.1f %%", 100 * device->busy) : "-", kCell)
      << pad_left(is_known ? time_text(device->busy * device->step_ns) : "-", kCell)
      << pad_left(steps.found() ? report::format_count(one.run.of_step.launches) : "-", kCell) << "  "
      << style(colour_of(regime), to_string(regime)) << '\n';
}

}  // namespace

void write_terminal(const Scaling& scaling, bool colour, std::ostream& out) {
  std::ostringstream text;
  const Style style(colour);
  const auto paragraph = [&](const std::string& line, Colour line_colour) {
    for (const std::string& wrapped : report::wrap(line, 0, kReportWidth)) text << style(line_colour, wrapped) << '\n';
  };
  std::string command;
  for (const std::string& word : scaling.command) command += (command.empty() ? "" : " ") + word;
  text << style(Colour::kBold, "syncsniff: " + report::keep_head(command, kReportWidth - 11)) << '\n'
       << "run " << scaling.runs.size() << " times, once for each value\n\n";
  head(scaling, style, text);
  for (size_t i = 0; i < scaling.runs.size(); ++i) row(scaling, i, style, text);
  paragraph(
      "grows: growth of the step time to the next value, relative to that of the value, with its 95 % interval. 0 %: a "
      "step takes no longer; 100 %: it grows in proportion to " +
          scaling.name,
      Colour::kDim);
  text << '\n';
  for (const std::string& line : sentences_of(scaling)) paragraph(line, Colour::kPlain);
  for (const std::string& note : scaling.notes) paragraph("note: " + note, Colour::kPlain);
  paragraph("note: traces: " + scaling.runs.front().run.path + " to " + scaling.runs.back().run.path, Colour::kPlain);
  out << guard_lines(text.str());
}

}  // namespace syncsniff::scale
