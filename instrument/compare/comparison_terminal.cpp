#include <algorithm>
#include <cmath>
#include <sstream>

#include "instrument/compare/comparison_lines.h"
#include "instrument/compare/comparison_notes.h"
#include "instrument/compare/comparison_text.h"
#include "instrument/report/terminal_table.h"
#include "instrument/report/units.h"
#include "rules/untrusted_text.h"

namespace syncsniff::compare {
namespace {

using report::Colour;
using report::kReportWidth;
using report::pad_left;
using report::pad_right;
using report::Style;

constexpr size_t kNameWidth = 30, kCell = 17;
constexpr double kShownChange = 0.0005, kManyTimes = 10;
constexpr double kLeastPart = 0.005;  // of a step, in at least one of the recordings

std::string value_text(Unit unit, double value) {
  switch (unit) {
    case Unit::kShare:
      return report::format_number("%.1f %%", 100 * value);
    case Unit::kCount:
      return report::format_count(value);
    case Unit::kBytes:
      return report::format_bytes(value);
    case Unit::kTime:
      break;
  }
  return report::format_time(static_cast<uint64_t>(std::max(0.0, value) + 0.5));
}

std::string range_text(const Spread& spread) {
  return value_text(Unit::kTime, spread.low) + "-" + value_text(Unit::kTime, spread.high);
}

std::string change_text(const Figure& figure) {
  if (!figure.a || !figure.b) return "";
  const double a = *figure.a, b = *figure.b;
  if (figure.unit == Unit::kShare) return report::format_number("%+.1f points", 100 * (b - a));
  if (a == 0 || b == 0) return a == b ? "=" : a == 0 ? "new" : "gone";
  const double change = b / a - 1;
  if (std::abs(change) < kShownChange) return "=";
  return b > kManyTimes * a ? "x " + report::format_count(b / a) : report::format_number("%+.1f %%", 100 * change);
}

std::string medians_text(const RunFigures& run) {
  std::string text;
  for (const Recording& recording : run.recordings)
    text += (text.empty() ? "" : ", ") + value_text(Unit::kTime, recording.median_ns);
  return text;
}

class Writer {
 public:
  Writer(const Comparison& change, bool colour, std::ostream& out) : change_(change), style_(colour), out_(out) {}

  void write() {
    side("A", change_.a);
    side("B", change_.b);
    out_ << '\n';
    head();
    if (change_.by_step) step();
    for (const DeviceChange& device : change_.devices) {
      if (change_.devices.size() > 1) out_ << "GPU " << device.device << '\n';
      for (const Figure& figure : device.figures)
        if (figure.depth == 0 || std::max(figure.a.value_or(0), figure.b.value_or(0)) >= kLeastPart * change_.length_ns)
          row(figure);
    }
    for (const Figure& figure : change_.figures) row(figure);
    for (const DeviceChange& device : change_.devices) write_idle_lines(device, change_.length_ns, style_, out_);
    write_call_lines(change_, style_, out_);
    if (!change_.notes.empty()) out_ << '\n';
    for (const std::string& note : change_.notes) paragraph("note: " + note, 0);
  }

 private:
  void paragraph(const std::string& text, size_t indent, Colour colour = Colour::kPlain) {
    for (const std::string& line : report::wrap(text, indent, kReportWidth)) out_ << style_(colour, line) << '\n';
  }

  void side(const char* name, const RunFigures& run) {
    const std::string command = command_text(run);
    out_ << style_(Colour::kBold, std::string(name) + "  " + report::keep_tail(run.path, kReportWidth - 3)) << '\n';
    if (run.recordings.size() > 1)
      paragraph(std::to_string(run.recordings.size()) +
                    " recordings, lines are shown of this one; step times: " + medians_text(run),
                3);
    if (!command.empty()) out_ << "   " << report::keep_head(command, kReportWidth - 3) << '\n';
    paragraph(run.steps.found() ? report::format_count(static_cast<double>(run.steps.seen)) + " steps, " +
                                      run.steps.how + ", confidence " + run.steps.confidence
                                : "no steps found: " + run.steps.how,
              3);
  }

  void head() {
    out_ << style_(Colour::kBold, pad_right(change_.by_step ? "a step" : "a second of the run", kNameWidth) +
                                      pad_left("A", kCell) + pad_left("B", kCell) + pad_left("change", kCell))
         << '\n';
  }

  void cells(const std::string& name, const std::string& a, const std::string& b, const std::string& change) {
    out_ << pad_right(name, kNameWidth) << pad_left(a, kCell) << pad_left(b, kCell)
         << (change.empty() ? "" : pad_left(change, kCell)) << '\n';
  }

  void row(const Figure& figure) {
    const auto cell = [&](const std::optional<double>& value) { return value ? value_text(figure.unit, *value) : "-"; };
    cells(std::string(2 * figure.depth, ' ') + figure.name, cell(figure.a), cell(figure.b), change_text(figure));
  }

  void step() {
    row({"time (median)", Unit::kTime, change_.a.steps.median_ns, change_.b.steps.median_ns, 0});
    if (change_.a_steps.count != 0 && change_.b_steps.count != 0)
      cells("  middle half of the steps", range_text(change_.a_steps), range_text(change_.b_steps), "");
    verdict();
  }

  void verdict() {
    const MedianRatio& step = change_.step;
    if (!step.known) return;
    const bool faster = step.ratio < 1;
    const std::string interval = "95 % interval " + report::format_number("%+.1f", 100 * (step.low - 1)) + " to " +
                                 report::format_number("%+.1f %%", 100 * (step.high - 1));
    const bool several = std::min(change_.a.recordings.size(), change_.b.recordings.size()) > 1;
    if (step.interval_excludes_one() && !step.beyond_noise())
      return paragraph(interval + ": within the noise, since " +
                           (several ? "recordings of one version" : "the halves of one recording") + " differ by " +
                           report::format_number("%.1f %%", 100 * (step.drift - 1)) + " by themselves",
                       2, Colour::kDim);
    if (!step.beyond_noise()) return paragraph(interval + ": within the noise of the steps", 2, Colour::kDim);
    paragraph(interval + ": B is " + (faster ? "faster" : "slower") + " by more than the noise of the steps", 2,
              faster ? Colour::kGreen : Colour::kRed);
    if (!several)
      paragraph("(of these two recordings: a machine that was slower during one of them would look the same)", 2,
                Colour::kDim);
  }

  const Comparison& change_;
  const Style style_;
  std::ostream& out_;
};

}  // namespace

void write_terminal(const Comparison& change, bool colour, std::ostream& out) {
  std::ostringstream text;
  Writer(change, colour, text).write();
  out << guard_lines(text.str());
}

}  // namespace syncsniff::compare
