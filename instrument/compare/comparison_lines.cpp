#include "instrument/compare/comparison_lines.h"

#include <algorithm>
#include <cmath>

#include "instrument/compare/comparison_text.h"
#include "instrument/report/host_rows.h"
#include "instrument/report/units.h"

namespace syncsniff::compare {
namespace {

using report::Colour;
using report::kReportWidth;
using report::pad_left;
using report::pad_right;
using report::Style;

constexpr size_t kMaxRows = 12, kTime = 10, kFateWidth = 8, kKindWidth = 16, kCounts = 19, kCallWidth = 24;
constexpr size_t kDetailIndent = 32;
constexpr double kLeastShare = 0.01;   // of a step; smaller changes are summed up
constexpr double kLeastCount = 0.5;    // calls of a step
constexpr double kLeastOfCount = 0.1;  // of the line's own calls; counts of launches are estimates
constexpr double kLeastOfBytes = 0.1;

std::string time_text(double ns) { return report::format_time(static_cast<uint64_t>(std::max(0.0, ns) + 0.5)); }

Colour colour_of(Fate fate) {
  if (fate == Fate::kGone || fate == Fate::kShrank) return Colour::kGreen;
  return fate == Fate::kSame ? Colour::kPlain : Colour::kRed;
}

bool count_changed(const LineChange& line) {
  const double change = std::abs(line.b_count - line.a_count);
  return change >= kLeastCount && change >= kLeastOfCount * std::max(line.a_count, line.b_count);
}

bool bytes_changed(const LineChange& line) {
  return std::abs(line.b_bytes - line.a_bytes) > kLeastOfBytes * std::max(line.a_bytes, line.b_bytes);
}

std::string times_cells(const LineChange& line, const Style& style) {
  return pad_left(signed_time(line.change_ns()), kTime) + pad_left(time_text(line.a_ns), kTime) +
         pad_left(time_text(line.b_ns), kTime) + "  " +
         style(colour_of(line.fate()), pad_right(to_string(line.fate()), kFateWidth));
}

void write_details(const LineChange& line, const Style& style, std::ostream& out) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (line.in_a && line.in_b && line.was.line != line.line.place.line) add("in A at " + reader::place_text(line.was));
  const reader::Place& inner = line.line.inner;
  if (!inner.file.empty()) add("in " + reader::place_and_function(inner));
  if (!line.rule.empty()) add(line.rule);
  for (const std::string& row : report::wrap(text, kDetailIndent, kReportWidth))
    out << style(Colour::kDim, row) << '\n';
}

std::string counts_text(const LineChange& line) {
  const std::string a = report::format_count(line.a_count), b = report::format_count(line.b_count);
  return a == b ? a : (line.in_a ? a : "0") + " > " + (line.in_b ? b : "0");
}

struct Rest {
  size_t lines = 0;
  double a_ns = 0, b_ns = 0;
  void add(const LineChange& line) {
    ++lines;
    a_ns += line.a_ns;
    b_ns += line.b_ns;
  }
  void write(std::ostream& out) const {
    if (lines == 0) return;
    out << pad_left(signed_time(b_ns - a_ns), kTime) << pad_left(time_text(a_ns), kTime)
        << pad_left(time_text(b_ns), kTime) << "  the rest: " << lines << (lines == 1 ? " line" : " lines")
        << " that changed less\n";
  }
};

}  // namespace

std::string signed_time(double ns) {
  const std::string size = time_text(std::abs(ns));
  return size == "0" ? size : (ns < 0 ? "-" : "+") + size;
}

std::string line_text(const LineChange& line) {
  const LineId& id = line.line;
  if (id.place.file.empty() && line.call.empty() && line.kind == "starting")
    return "launch latency until the idle GPU starts";
  return report::where_text(id.place, id.before, line.call, line.thread);
}

void write_idle_lines(const DeviceChange& device, double length_ns, const Style& style, std::ostream& out) {
  if (device.lines.empty()) return;
  out << '\n'
      << style(Colour::kBold, pad_left("change", kTime) + pad_left("A", kTime) + pad_left("B", kTime) + "  " + "GPU " +
                                  std::to_string(device.device) + " idle, while the host did at")
      << '\n';
  size_t shown = 0;
  Rest rest;
  for (const LineChange& line : device.lines) {
    if (shown == kMaxRows || std::abs(line.change_ns()) < kLeastShare * length_ns) {
      rest.add(line);
      continue;
    }
    ++shown;
    const size_t room = kReportWidth - 3 * kTime - 2 - kFateWidth - kKindWidth;
    out << times_cells(line, style) << pad_right(line.kind, kKindWidth) << report::keep_head(line_text(line), room)
        << '\n';
    write_details(line, style, out);
  }
  rest.write(out);
}

void write_call_lines(const Comparison& change, const Style& style, std::ostream& out) {
  if (change.calls.empty()) return;
  out << '\n'
      << style(Colour::kBold, pad_left("change", kTime) + pad_left("A", kTime) + pad_left("B", kTime) + "  " +
                                  pad_right("", kFateWidth) + pad_right("calls", kCounts) +
                                  "host blocked in, or launching")
      << '\n';
  size_t shown = 0;
  Rest rest;
  for (const LineChange& line : change.calls) {
    const bool is_worth_a_row =
        std::abs(line.change_ns()) >= kLeastShare * change.length_ns || count_changed(line) || bytes_changed(line);
    if (shown == kMaxRows || !is_worth_a_row) {
      rest.add(line);
      continue;
    }
    ++shown;
    const size_t room = kReportWidth - 3 * kTime - 2 - kFateWidth - kCounts - kCallWidth;
    out << times_cells(line, style) << pad_right(counts_text(line), kCounts) << pad_right(line.kind, kCallWidth)
        << report::keep_tail(reader::place_text(line.line.place), room) << '\n';
    write_details(line, style, out);
  }
  rest.write(out);
}

}  // namespace syncsniff::compare
