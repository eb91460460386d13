#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "instrument/report/spelling.h"
#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"
#include "instrument/timeline/remedies.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {
namespace {

using timeline::DeviceTimeline;
using timeline::HostDoing;
using timeline::HostLine;
using timeline::IdleCause;
using timeline::Remedy;
using timeline::StepShare;

constexpr size_t kMaxRows = 10, kTimeWidth = 9, kShareWidth = 8, kDoingWidth = 15, kDetailIndent = 20;
constexpr double kLeastShare = 0.01;      // of a step; smaller rows are summed up as "the rest"
constexpr double kMostlyAfterWait = 0.5;  // of a row's time
constexpr uint64_t kFewKinds = 3;         // up to this many kinds of kernels could become one many-tensor launch

uint64_t whole(double ns) { return static_cast<uint64_t>(std::max(0.0, ns) + 0.5); }

std::string line_text(const HostLine& line) {
  if (line.doing == HostDoing::kStarting) {
    const std::string part = line.part == reader::StepPart::kOther ? "" : std::string(": ") + to_string(line.part);
    return "launch latency until the idle GPU starts" + part;
  }
  return where_text(line.place, line.before, line.api.empty() ? "" : user_spelling(line.api), line.thread);
}

// The number of launches, how long each takes on the host and on the GPU, and what helps.
std::string launches_text(const HostLine& line, const StepShare& share, double gain) {
  if (line.launches == 0) return "";
  const double each = share.of_steps ? static_cast<double>(line.launches) / share.steps : 0;
  std::string text = (share.of_steps ? format_count(each) + " launches per step"
                                     : format_count(static_cast<double>(line.launches)) + " launches in the windows");
  if (line.spaced != 0) text += ", one every " + format_time(line.spacing_ns / line.spaced);
  if (line.matched != 0) text += ", each kernel takes " + format_time(line.kernel_ns / line.matched);
  if (share.of_steps && whole(gain) == 0) return text;  // one launch per step: there is nothing to merge
  const timeline::Remedy remedy = timeline::remedy_of(line);
  text += remedy == Remedy::kOptimizer   ? ": foreach=True or fused=True updates all parameters at once"
          : remedy == Remedy::kOneLaunch ? ": one launch over all of them (a many-tensor kernel)"
                                         : ": a CUDA graph, torch.compile or a larger batch";
  if (!share.of_steps) return text;
  return text + (remedy == Remedy::kGraph ? ", saves at most " : ", saves about ") + format_time(whole(gain));
}

class GpuWriter {
 public:
  GpuWriter(const DeviceTimeline& device, const RunReport& report, const Style& style, std::ostream& out)
      : device_(device),
        share_(timeline::share_of_step(device, report.analysis.steps)),
        gains_(device, share_),
        is_full_(report.trace->header.mode() == trace::TimelineMode::kFull),
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
    return "from " + std::to_string(device_.spans.size()) +
           (device_.spans.size() == 1 ? " window of " : " windows of ") + format_time(device_.covered_ns) + " in all";
  }

  std::string causes() const {
    std::vector<size_t> order;
    for (size_t i = 0; i < timeline::kIdleCauses; ++i)
      if (i != static_cast<size_t>(IdleCause::kEndEffects) && device_.idle_by_cause[i] != 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return device_.idle_by_cause[a] > device_.idle_by_cause[b]; });
    const uint64_t all = device_.idle_ns - device_.end_effects_ns();
    std::string text;
    for (size_t cause : order)
      text += (text.empty() ? "" : ", ") + std::string(to_string(static_cast<IdleCause>(cause))) + " " +
              format_share(device_.idle_by_cause[cause], all);
    return text;
  }

  // As shares of the step.
  template <class Kind>
  std::string shares(const std::vector<std::pair<double, Kind>>& times) const {
    std::string text;
    for (const auto& [ns, kind] : times)
      text += (text.empty() ? "" : ", ") + std::string(to_string(kind)) + " " +
              format_share(whole(ns), whole(share_.step_ns));
    return text;
  }

  // Greatest first.
  std::string doings() const {
    std::vector<std::pair<double, HostDoing>> times;
    for (size_t i = 0; i < timeline::kHostDoings; ++i) {
      const auto doing = static_cast<HostDoing>(i);
      const double ns = share_.of(device_, doing);
      if (whole(ns) != 0) times.emplace_back(ns, doing);
    }
    std::sort(times.rbegin(), times.rend());
    return shares(times);
  }

  // Greatest first, and the rest last; empty where no part is known.
  std::string parts() const {
    std::array<double, reader::kStepParts> sums{};
    for (const HostLine& line : device_.host_lines) sums[static_cast<size_t>(line.part)] += share_.of(line);
    std::vector<std::pair<double, reader::StepPart>> times;
    for (size_t i = 1; i < sums.size(); ++i)
      if (whole(sums[i]) != 0) times.emplace_back(sums[i], static_cast<reader::StepPart>(i));
    if (times.empty()) return "";
    std::sort(times.rbegin(), times.rend());
    times.emplace_back(sums[0], reader::StepPart::kOther);
    return shares(times);
  }

  void row(double ns, const std::string& doing, const std::string& text) {
    out_ << pad_left(format_time(whole(ns)), kTimeWidth)
         << pad_left(format_share(whole(ns), whole(share_.step_ns)), kShareWidth) << "  "
         << pad_right(doing, kDoingWidth) << keep_head(text, kReportWidth - kTimeWidth - kShareWidth - 2 - kDoingWidth)
         << '\n';
  }

  struct Row {
    double ns = 0;
    bool is_told = false;  // however little time it takes
    std::string doing, text, details;
    std::vector<const HostLine*> lines;
  };

  // One line's work in several parts of the step is one row: nothing in it says which part it was.
  std::vector<Row> rows_by_time() const {
    std::vector<Row> rows;
    std::map<std::tuple<std::string, std::string, std::string>, size_t> known;
    for (const HostLine& line : device_.host_lines) {
      const double gain = gain_of(line);
      Row row{share_.of(line), gains_more(line, gain), doing_text(line), line_text(line), details(line, gain), {&line}};
      const auto [same, is_new] = known.try_emplace({row.doing, row.text, row.details}, rows.size());
      if (is_new) {
        rows.push_back(std::move(row));
      } else {
        rows[same->second].ns += row.ns;
        rows[same->second].lines.push_back(&line);
      }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ns > b.ns; });
    return rows;
  }

  void rows() {
    const std::vector<Row> rows = rows_by_time();
    double rest = share_.idle_ns;
    std::vector<const HostLine*> fixed;
    size_t shown = 0;
    for (const Row& line : rows) {
      if (shown == kMaxRows) break;
      if (shown != 0 && line.ns < kLeastShare * share_.step_ns && !line.is_told) continue;
      row(line.ns, line.doing, line.text);
      if (!line.details.empty()) paragraph(line.details, kDetailIndent, Colour::kDim);
      fixed.insert(fixed.end(), line.lines.begin(), line.lines.end());
      rest -= line.ns;
      ++shown;
    }
    if (rows.size() > shown && whole(rest) != 0) row(rest, "the rest", std::to_string(rows.size() - shown) + " lines");
    if (share_.of_steps && shown != 0)
      paragraph("if all of these rows are fixed, a step takes at best " +
                    format_time(whole(std::max(share_.busy_ns, share_.step_ns - gains_.of_all(fixed)))) +
                    " instead of " + format_time(whole(share_.step_ns)) + " (predicted)",
                2);
  }

  // A wait that hides the host's work from the device costs more than its own time.
  bool gains_more(const HostLine& line, double gain) const {
    return share_.of_steps && line.doing == HostDoing::kWaiting && gain >= kLeastShare * share_.step_ns &&
           gain >= 2 * share_.of(line);
  }

  // Of the kinds whose details tell it; each is a replay of all windows.
  double gain_of(const HostLine& line) const {
    const bool is_told = line.doing == HostDoing::kLaunching || line.doing == HostDoing::kWaiting;
    return is_told ? gains_.of(line) : 0;
  }

  std::string details(const HostLine& line, double gain) const {
    std::string text;
    auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : "; ") + part; };
    if (!line.inner.file.empty()) add("in " + place_and_function(line.inner));
    if (gains_more(line, gain))
      add("without it the host goes on while the GPU works, saves about " + format_time(whole(gain)));
    if (line.doing == HostDoing::kLaunching) add(launches_text(line, share_, gain));
    const bool after_wait =
        static_cast<double>(line.let_dry_ns) >= kMostlyAfterWait * static_cast<double>(line.idle_ns);
    if (line.doing == HostDoing::kCode && after_wait && !line.let_dry.file.empty())
      add("exposed by " + user_spelling(line.let_dry_api) + " at " + place_text(line.let_dry));
    return text;
  }

  const DeviceTimeline& device_;
  const StepShare share_;
  const timeline::Gains gains_;
  const bool is_full_;
  const Style& style_;
  std::ostream& out_;
};

}  // namespace

std::string where_text(const reader::Place& place, const reader::Place& before, const std::string& call,
                       const std::string& thread) {
  const bool named = !place.file.empty(), is_line = before.file.empty();
  std::string text = !named && !thread.empty() ? "thread " + thread
                     : is_line                 ? place_and_function(place)
                                               : place_text(place);
  if (!is_line && !(before == place)) text = place_text(before) + " to " + text;
  if (!call.empty()) text += "  " + call;
  if (named && !thread.empty()) text += "  (thread " + thread + ")";
  return text;
}

const char* doing_text(const HostLine& line) {
  using trace::HostState;
  if (line.doing != HostDoing::kCode) return to_string(line.doing);
  switch (line.state) {
    case HostState::kAsleep:
      return "asleep";
    case HostState::kLock:
      return "waits: a lock";
    case HostState::kInterpreter:
      return "waits: the GIL";
    case HostState::kRead:
      return "waits: a read";
    case HostState::kPoll:
      return "waits: a poll";
    case HostState::kProcess:
      return "waits: a child";
    default:
      return to_string(line.doing);
  }
}

void write_gpu(const DeviceTimeline& device, const RunReport& report, const Style& style, std::ostream& out) {
  GpuWriter(device, report, style, out).write();
}

}  // namespace syncsniff::report
