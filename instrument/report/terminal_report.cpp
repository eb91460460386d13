#include <algorithm>
#include <ostream>

#include "instrument/report/report.h"
#include "instrument/report/terminal_table.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

using timeline::Analysis;
using timeline::Tally;

constexpr size_t kPlaceWidth = 28, kWhatWidth = 22, kCountWidth = 8, kTimeWidth = 9;
constexpr size_t kMaxRows = 20, kMaxGpuLines = 8, kMaxUnlisted = 12;
constexpr size_t kFixIndent = 4;

const char* short_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::kConfirmed:
      return "confirmed";
    case Verdict::kCheap:
      return "cheap";
    case Verdict::kRunOnly:
      return "run only";
    default:
      return "";
  }
}

Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::kConfirmed) return Colour::kRed;
  return verdict == Verdict::kRunOnly ? Colour::kYellow : Colour::kGreen;
}

class TerminalWriter {
 public:
  TerminalWriter(const RunReport& report, bool colour, std::ostream& out)
      : report_(report), analysis_(report.analysis), style_(colour), out_(out) {}

  void write() {
    header();
    table();
    unlisted(Verdict::kNotExecuted, "Not executed in this run:");
    unlisted(Verdict::kNotMeasured, "Not measured by a run:");
    for (const auto& device : analysis_.devices) gpu(device);
    if (!report_.notes.empty()) out_ << '\n';
    for (const std::string& note : report_.notes) paragraph("note: " + note, 0);
  }

 private:
  bool by_step() const { return analysis_.steps.found(); }
  double per() const { return by_step() ? static_cast<double>(analysis_.steps.regular.size()) : 1; }
  uint64_t each(uint64_t ns) const { return static_cast<uint64_t>(static_cast<double>(ns) / per() + 0.5); }
  const Tally& tally_of(const Line& line) const { return by_step() ? line.stepping : line.run; }

  void paragraph(const std::string& text, size_t indent, Colour colour = Colour::kPlain) {
    for (const std::string& line : wrap(text, indent, kReportWidth)) out_ << style_(colour, line) << '\n';
  }

  void header() {
    std::string command;
    for (const std::string& word : report_.trace->command_line()) command += (command.empty() ? "" : " ") + word;
    out_ << style_(Colour::kBold,
                   "syncsniff: " + keep_head(command.empty() ? report_.trace->path : command, kReportWidth - 11))
         << '\n';
    std::string line = format_time(analysis_.run_ns) + (report_.trace->ended_early() ? " (ended early)" : "") + ", ";
    line += analysis_.device_ids.empty() ? "no GPU used" : analysis_.device_ids.size() == 1 ? "GPU " : "GPUs ";
    for (size_t i = 0; i < analysis_.device_ids.size(); ++i)
      line += (i ? ", " : "") + std::to_string(analysis_.device_ids[i]);
    const auto& steps = analysis_.steps;
    if (by_step()) {
      line += "; " + format_count(per()) + " steps of " + format_time(steps.median_ns) + " (" + steps.how +
              "; confidence " + steps.confidence + ")";
      if (steps.irregular != 0) line += ", " + std::to_string(steps.irregular) + " longer ones left out";
    } else {
      line += "; no steps found: " + steps.how;
    }
    paragraph(line, 0);
    totals();
    out_ << '\n';
  }

  void totals() {
    const auto& sum = by_step() ? analysis_.stepping : analysis_.run;
    uint64_t whole = analysis_.run_ns;
    if (by_step()) {
      whole = 0;
      for (const auto& step : analysis_.steps.regular) whole += step.length();
    }
    auto part = [&](const char* what, uint64_t ns) {
      const std::string share = format_share(ns, whole);
      return std::string(what) + " " + format_time(each(ns)) + (share.empty() ? "" : " (" + share + ")");
    };
    paragraph((by_step() ? "a step: " : "in all: ") + part("host blocked", sum.blocked_ns) + ", " +
                  part("GPU provably idle", sum.idle_ns) + ", " +
                  format_count(static_cast<double>(sum.launches) / per()) + " launches; the whole run: blocked " +
                  format_time(analysis_.run.blocked_ns) + ", idle " + format_time(analysis_.run.idle_ns),
              0);
  }

  void table() {
    size_t rows = 0, more = 0;
    for (const Line& line : report_.verdicts.lines) {
      if (*short_verdict(line.verdict) == '\0') continue;
      if (rows == kMaxRows) {
        ++more;
        continue;
      }
      if (rows++ == 0) table_head();
      row(line, rows);
    }
    if (rows == 0) out_ << "No wait, copy or launch loop costs enough to report.\n";
    if (more != 0) out_ << "and " << more << " more; --format=json lists them all\n";
    if (rows != 0) {
      out_ << '\n';
      paragraph(
          "saves: what mending the line can gain at most: GPU idle time proved after it, plus host time before the "
          "next CUDA "
          "call where nothing proved the GPU idle; for launches, the host time of issuing them.",
          0, Colour::kDim);
    }
  }

  void table_head() {
    const char* per_step = by_step() ? "/step" : "";
    out_ << style_(Colour::kBold, "    " + pad_right("line", kPlaceWidth) + pad_right("what", kWhatWidth) +
                                      pad_left(std::string("n") + per_step, kCountWidth) +
                                      pad_left("blocked", kTimeWidth) + pad_left("idle", kTimeWidth) +
                                      pad_left("saves", kTimeWidth) + "  verdict")
         << '\n';
  }

  void row(const Line& line, size_t number) {
    const Tally& tally = tally_of(line);
    const uint64_t saving = line.launching ? tally.launch_ns : tally.saving_ns;
    const double count = static_cast<double>(line.launching ? tally.launches : tally.calls) / per();
    out_ << pad_left(std::to_string(number), 2) << "  "
         << pad_right(keep_tail(place_text(line.place), kPlaceWidth - 1), kPlaceWidth)
         << pad_right(keep_head(line.what, kWhatWidth - 1), kWhatWidth) << pad_left(format_count(count), kCountWidth)
         << pad_left(format_time(each(tally.blocked_ns)), kTimeWidth)
         << pad_left(format_time(each(tally.idle_ns)), kTimeWidth) << pad_left(format_time(each(saving)), kTimeWidth)
         << "  " << style_(colour_of(line.verdict), short_verdict(line.verdict)) << '\n';
    std::string text;
    if (line.finding != nullptr) {
      text = line.finding->rule;
      for (const std::string& rule : line.also) text += ", " + rule;
      text += ": " + line.finding->message;
      if (!line.fix.empty()) text += (text.back() == '.' ? " Fix: " : ". Fix: ") + line.fix;
    } else if (!line.place.function.empty()) {
      text = "in " + keep_head(line.place.function, 60);
    }
    if (!text.empty()) paragraph(text, kFixIndent, Colour::kDim);
  }

  void unlisted(Verdict verdict, const char* title) {
    std::vector<const Line*> lines;
    for (const Line& line : report_.verdicts.lines)
      if (line.verdict == verdict) lines.push_back(&line);
    if (lines.empty()) return;
    out_ << '\n' << style_(Colour::kBold, title) << '\n';
    for (size_t i = 0; i < lines.size() && i < kMaxUnlisted; ++i)
      paragraph(place_text(lines[i]->place) + " " + lines[i]->finding->rule +
                    (lines[i]->why_not.empty() ? "" : " (" + lines[i]->why_not + ")"),
                kFixIndent);
    if (lines.size() > kMaxUnlisted) out_ << "    and " << lines.size() - kMaxUnlisted << " more\n";
  }

  void gpu(const timeline::DeviceTimeline& device) {
    out_ << '\n'
         << style_(Colour::kBold, "GPU " + std::to_string(device.device)) << ": busy " << format_time(device.busy_ns)
         << " (" << format_share(device.busy_ns, device.span.length()) << "), idle " << format_time(device.idle_ns)
         << ", " << format_count(static_cast<double>(device.kernels)) << " kernels, "
         << format_count(static_cast<double>(device.copies)) << " copies\n";
    for (size_t i = 0; i < device.lines.size() && i < kMaxGpuLines; ++i) {
      const auto& line = device.lines[i];
      std::string where = place_text(line.place);
      if (!line.before.file.empty()) where = "between " + place_text(line.before) + " and " + where;
      out_ << "    " << pad_left(format_time(line.idle_ns), kTimeWidth)
           << pad_left(format_share(line.idle_ns, device.idle_ns), kCountWidth) << "  "
           << pad_right(to_string(line.cause), 15) << keep_head(where + (line.api.empty() ? "" : "  " + line.api), 60)
           << '\n';
    }
  }

  const RunReport& report_;
  const Analysis& analysis_;
  Style style_;
  std::ostream& out_;
};

}  // namespace

void write_terminal(const RunReport& report, bool colour, std::ostream& out) {
  TerminalWriter(report, colour, out).write();
}

}  // namespace syncsniff::report
