#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "instrument/report/host_parts.h"
#include "instrument/report/host_rows.h"
#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"
#include "instrument/timeline/remedies.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {
namespace {

using timeline::DeviceTimeline;
using timeline::HostLine;
using timeline::StepShare;

constexpr size_t kMaxIdleRows = 10, kIdleWidth = 9, kShareWidth = 8, kDoingWidth = 17;

// With fewer launches than this share of a step's, no estimate is made. Of a step of 5,100 launches, 187 had 55 % more
// work each than the mean of all; 786 to 1,366 (five runs) had 1 to 4 %.
constexpr double kFewOfAStep = 0.1;

uint64_t whole(double ns) { return static_cast<uint64_t>(std::max(0.0, ns) + 0.5); }

class GpuWriter {
 public:
  // `steps`: empty if the device's windows show none.
  GpuWriter(const DeviceTimeline& device, const timeline::Steps& steps, const RunReport& report, const Style& style,
            std::ostream& out)
      : device_(device),
        share_(timeline::share_of_step(device, steps)),
        gains_(device, share_),
        is_full_(report.trace->header.mode() == trace::TimelineMode::kFull),
        step_elsewhere_ns_(!share_.of_steps && report.analysis.steps.found() ? report.analysis.steps.typical_ns() : 0),
        run_ns_(report.analysis.run_ns),
        style_(style),
        out_(out) {}

  void write() {
    const uint64_t step = whole(share_.step_ns);
    const std::string of = share_.of_steps ? "of a step, " : "of the windows, ";
    const std::string head =
        "GPU " + std::to_string(device_.device) + " busy " + format_share(whole(share_.busy_ns), step) + " (" +
        format_time(whole(share_.busy_ns)) + " " + of + format_count(each(device_.kernels)) + " kernels), idle " +
        format_share(whole(share_.idle_ns), step) + " (" + format_time(whole(share_.idle_ns)) + ")";
    paragraph(head + "; " + coverage(), 0, Colour::kBold);
    if (step_elsewhere_ns_ > 0 && device_.launched_steps >= kFewOfAStep) paragraph(estimate(), 2);
    paragraph(regime_text(device_, share_), 2);
    if (whole(share_.idle_ns) != 0) write_idle();
    out_ << '\n';
  }

 private:
  void write_idle() {
    paragraph("ran dry because of: " + causes(), 2);
    paragraph("what the host did meanwhile: " + doings(), 2);
    if (const std::string text = parts(); !text.empty()) paragraph("in which part of the step: " + text, 2);
    rows();
  }

  double each(uint64_t count) const {
    return share_.of_steps ? static_cast<double>(count) / share_.steps : static_cast<double>(count);
  }

  void paragraph(const std::string& text, size_t indent, Colour colour = Colour::kPlain) {
    for (const std::string& line : wrap(text, indent, kReportWidth)) out_ << style_(colour, line) << '\n';
  }

  std::string coverage() const {
    if (device_.spans.size() == 1 && is_full_) return "the whole run was recorded";
    std::string text = "from " + std::to_string(device_.spans.size()) +
                       (device_.spans.size() == 1 ? " window of " : " windows of ") + format_time(device_.covered_ns) +
                       " in all";
    if (!share_.of_steps) text += ", " + format_share(device_.covered_ns, run_ns_) + " of the run";
    if (step_elsewhere_ns_ > 0) text += ", outside of the steps that are measured: not per step";
    if (share_.by_launches) text += ", parts of steps: scaled by the number of launches";
    return text;
  }

  // A launch's work on the device does not depend on what the host does, so that of a start-up shows about that of a
  // step.
  std::string estimate() const {
    const double step = step_elsewhere_ns_;
    const double busy = std::min(step, static_cast<double>(device_.busy_ns) / device_.launched_steps);
    return "a step: busy about " + format_share(whole(busy), whole(step)) + " (" + format_time(whole(busy)) +
           "), if its " + format_count(static_cast<double>(device_.kernels) / device_.launched_steps) +
           " launches are as much work each as those in the windows (estimated)";
  }

  std::string causes() const { return shares(idle_causes(device_, share_)) + unseen(); }

  // The idle time in no window.
  std::string unseen() const {
    const uint64_t unseen = whole(share_.unseen_ns);
    return unseen == 0 ? "" : ", not known " + format_share(unseen, whole(share_.step_ns));
  }

  // Formats times as shares of the step.
  std::string shares(const std::vector<HostPart>& parts) const {
    std::string text;
    for (const HostPart& part : parts)
      text += (text.empty() ? "" : ", ") + part.name + " " + format_share(whole(part.ns), whole(share_.step_ns));
    return text;
  }

  std::string doings() const { return shares(host_parts(device_, share_)) + unseen(); }

  // The parts of the step, greatest first, and the rest last; empty if no part is known.
  std::string parts() const {
    std::array<double, reader::kStepParts> sums{};
    for (const HostLine& line : device_.host_lines) sums[static_cast<size_t>(line.part)] += share_.of(line);
    std::vector<HostPart> all;
    for (size_t i = 1; i < sums.size(); ++i)
      if (whole(sums[i]) != 0) all.push_back({.name = to_string(static_cast<reader::StepPart>(i)), .ns = sums[i]});
    if (all.empty()) return "";
    std::ranges::stable_sort(all, std::greater(), &HostPart::ns);
    all.push_back({.name = to_string(reader::StepPart::kOther), .ns = sums[0]});
    return shares(all);
  }

  void rows_head() {
    std::string head = pad_left("idle", kIdleWidth) + pad_left("share", kShareWidth);
    if (share_.of_steps) head += pad_left("saves", kIdleWidth);
    out_ << style_(Colour::kBold, head + "  the host") << '\n';
  }

  size_t details_indent() const { return kIdleWidth + kShareWidth + (share_.of_steps ? kIdleWidth : 0) + 3; }

  void row(double ns, const std::string& saves, const std::string& doing, const std::string& text) {
    std::string line = pad_left(format_time(whole(ns)), kIdleWidth) +
                       pad_left(format_share(whole(ns), whole(share_.step_ns)), kShareWidth);
    if (share_.of_steps) line += pad_left(saves, kIdleWidth);
    line += "  " + pad_right(doing, kDoingWidth);
    out_ << line << keep_head(text, kReportWidth - line.size()) << '\n';
  }

  // Adds the upper bound of the saving if the rest of the step may become faster, too.
  std::string details(const HostRow& line) const {
    if (line.saves_at_most - line.saves < kLeastShare * share_.step_ns) return line.details;
    return line.details + (line.details.empty() ? "" : "; ") + "saves up to " + format_time(whole(line.saves_at_most)) +
           ": the rest of a step may be faster without such a pause before it";
  }

  void rows() {
    const std::vector<HostRow> rows = ranked_rows(device_, share_, gains_);
    double rest = share_.idle_ns - share_.unseen_ns;
    std::vector<const HostLine*> fixed;
    double most = 0;  // greatest saving of a single row
    size_t shown = 0;
    for (const HostRow& line : rows) {
      if (shown == kMaxIdleRows) break;
      if (shown != 0 && line.ns < kLeastShare * share_.step_ns && !line.hides) continue;
      if (shown++ == 0) rows_head();
      const bool has_remedy = line.lines.front()->doing != timeline::HostDoing::kStarting;
      row(line.ns, has_remedy ? format_time(whole(line.saves)) : "", line.doing, line.text);
      const std::string below = details(line);
      if (!below.empty()) paragraph(below, details_indent(), Colour::kDim);
      fixed.insert(fixed.end(), line.lines.begin(), line.lines.end());
      most = std::max(most, line.saves);
      rest -= line.ns;
    }
    if (rows.size() > shown && whole(rest) != 0)
      row(rest, "", "the rest", std::to_string(rows.size() - shown) + " lines");
    if (whole(share_.unseen_ns) != 0)
      row(share_.unseen_ns, "", "not known", "in no window: none opens while the host launches nothing");
    if (!share_.of_steps || shown == 0) return;
    // The result may be less than the GPU's busy time now: a copy that nobody waits for runs beside kernels, or is
    // shorter.
    const double all = std::max(most, gains_.of_all(fixed));
    paragraph(
        "saves: predicted time saved per step if this row alone is fixed; if all of them are, a step takes at best " +
            format_time(whole(share_.step_ns - all)) + " instead of " + format_time(whole(share_.step_ns)) +
            " (predicted)",
        2);
  }

  const DeviceTimeline& device_;
  const StepShare share_;
  const timeline::Gains gains_;
  const bool is_full_;
  const double step_elsewhere_ns_;  // length of steps that the windows do not show; 0: there are no such steps
  const uint64_t run_ns_;
  const Style& style_;
  std::ostream& out_;
};

}  // namespace

void write_gpus(const RunReport& report, const Style& style, std::ostream& out) {
  const timeline::Analysis& analysis = report.analysis;
  for (const DeviceTimeline& device : analysis.devices) GpuWriter(device, analysis.steps, report, style, out).write();
  for (const DeviceTimeline& device : analysis.outside_steps) GpuWriter(device, {}, report, style, out).write();
}

}  // namespace syncsniff::report
