#include <algorithm>
#include <ostream>
#include <sstream>

#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"
#include "rules/untrusted_text.h"

namespace syncsniff::report {
namespace {

using timeline::Analysis;
using timeline::Tally;

constexpr size_t kPlaceWidth = 28, kWhatWidth = 22, kCountWidth = 8, kTimeWidth = 9;
constexpr size_t kMaxRows = 20, kMaxUnlisted = 12;
constexpr size_t kFixIndent = 4;
constexpr double kHardlyAny = 0.01;  // of a step

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
    write_header(report_, style_, out_);
    write_gpus(report_, style_, out_);
    table();
    write_sent_again(analysis_.sent_again, style_, out_);
    unlisted(Verdict::kNotExecuted, "Not executed in this run:");
    unlisted(Verdict::kNotMeasured, "Not measured by a run:");
    if (!report_.notes.empty()) out_ << '\n';
    for (const std::string& note : report_.notes) paragraph("note: " + note, 0);
  }

 private:
  bool by_step() const { return analysis_.steps.found(); }
  double per() const { return analysis_.measured_steps(); }
  uint64_t each(uint64_t ns) const { return static_cast<uint64_t>(static_cast<double>(ns) / per() + 0.5); }
  const Tally& tally_of(const Line& line) const { return by_step() ? line.stepping : line.run; }

  void paragraph(const std::string& text, size_t indent, Colour colour = Colour::kPlain) {
    for (const std::string& line : wrap(text, indent, kReportWidth)) out_ << style_(colour, line) << '\n';
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
    if (rows == 0)
      out_ << (timeline::anything_waits(*report_.trace)
                   ? "No wait, copy or launch loop costs enough to report.\n"
                   : "No waits were found: nothing in this run makes the host wait for the GPU.\n");
    if (more != 0) out_ << "and " << more << " more; --format=json lists them all\n";
    if (rows == 0) return;
    out_ << '\n';
    joint();
    paragraph(
        by_replay()
            ? "saves: predicted time saved per step if these calls are fixed, this line's share (by replay)"
            : "saves: an upper bound: host time blocked, plus the GPU idle time that is known to follow it or, where "
              "none is known, the host time until the next CUDA call; for launches, the host time of launching",
        0, Colour::kDim);
  }

  bool by_replay() const { return analysis_.predicts(); }

  void joint() {
    const double saves = report_.verdicts.joint_saving_ns;
    if (!by_step() || !by_replay() || saves < 1) return;
    // The saving was summed over all regular steps.
    const double mean = analysis_.steps.mean_ns(), step = analysis_.steps.typical_ns();
    if (saves < kHardlyAny * mean) {
      paragraph("fixing these calls alone, except the cheap ones, saves less than 1 % of a step (predicted)", 0);
      return;
    }
    paragraph("if these calls are fixed, except the cheap ones, a step takes about " +
                  format_time(static_cast<uint64_t>(step * std::max(0.0, 1 - saves / mean))) + " instead of " +
                  format_time(static_cast<uint64_t>(step)) + " (predicted)",
              0);
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
    const auto saving = static_cast<uint64_t>(line.saves_ns + 0.5);
    const double count = static_cast<double>(line.launching ? tally.launches : tally.calls) / per();
    out_ << pad_left(std::to_string(number), 2) << "  "
         << pad_right(keep_tail(place_text(line.place), kPlaceWidth - 1), kPlaceWidth)
         << pad_right(keep_head(line.call, kWhatWidth - 1), kWhatWidth) << pad_left(format_count(count), kCountWidth)
         << pad_left(format_time(each(tally.blocked_ns)), kTimeWidth)
         << pad_left(format_time(each(tally.idle_ns)), kTimeWidth) << pad_left(format_time(saving), kTimeWidth) << "  "
         << style_(colour_of(line.verdict), short_verdict(line.verdict)) << '\n';
    std::string text;
    if (line.finding != nullptr) {
      text = line.finding->rule;
      for (const std::string& rule : line.also) text += ", " + rule;
      text += ": " + line.finding->message;
      if (!line.fix.empty()) text += (text.back() == '.' ? " Fix: " : ". Fix: ") + first_sentence(line.fix);
    } else if (const std::string function = function_text(line.place); !function.empty()) {
      text = "in " + keep_head(function, 60);
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

  static std::string first_sentence(const std::string& text) {
    const size_t end = std::min(text.find(". "), text.starts_with("If ") ? std::string::npos : text.find(": "));
    return end == std::string::npos ? text : text.substr(0, end) + ".";
  }

  const RunReport& report_;
  const Analysis& analysis_;
  Style style_;
  std::ostream& out_;
};

}  // namespace

void write_terminal(const RunReport& report, bool colour, std::ostream& out) {
  std::ostringstream text;
  TerminalWriter(report, colour, text).write();
  out << guard_lines(text.str());
}

}  // namespace syncsniff::report
