#include <algorithm>
#include <functional>

#include "instrument/report/terminal_parts.h"
#include "instrument/report/units.h"

namespace syncsniff::report {
namespace {

using timeline::Analysis;

constexpr size_t kSitesNamed = 2, kPlaceWidth = 28;
constexpr double kToldApart = 1.03;    // ratio of a step's median and mean from which on both are printed
constexpr double kMuchLeftOut = 0.05;  // of the time since the first regular step

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string devices_text(const std::vector<uint32_t>& devices) {
  if (devices.empty()) return ", no GPU used";
  std::string text = devices.size() == 1 ? " on GPU " : " on GPUs ";
  for (size_t i = 0; i < devices.size(); ++i) text += (i ? ", " : "") + std::to_string(devices[i]);
  return text;
}

std::string steps_text(const timeline::Steps& steps) {
  if (!steps.found()) return "no steps found: " + steps.how + "; the figures cover the whole run";
  std::string text = format_count(static_cast<double>(steps.seen)) + " steps of " + format_time(steps.median_ns);
  if (steps.uneven != 0 || steps.timed_mean_ns > kToldApart * static_cast<double>(steps.median_ns)) {
    text += " (median; on average " + format_time(static_cast<uint64_t>(steps.timed_mean_ns));
    if (steps.uneven != 0) text += ", since " + std::to_string(steps.uneven) + " take more than three times as long";
    text += ")";
  }
  text += ", " + steps.how + ", confidence " + steps.confidence;
  if (steps.regular.size() != steps.seen)
    text += "; " + format_count(static_cast<double>(steps.regular.size())) + " measured";
  if (steps.irregular != 0)
    text +=
        ", " + std::to_string(steps.irregular) + (steps.irregular == 1 ? " longer one" : " longer ones") + " left out";
  if (!steps.doubt.empty()) text += "; " + steps.doubt;
  return text;
}

std::string cost_text(const Analysis& analysis) {
  const bool by_step = analysis.steps.found();
  const timeline::Totals& sum = by_step ? analysis.stepping : analysis.run;
  const double per = analysis.measured_steps();
  const uint64_t whole = analysis.measured_ns();
  auto part = [&](const char* what, uint64_t ns, const char* several) {
    // Sums may exceed the step, since several threads may be blocked, and several GPUs idle, at the same time.
    const std::string share = ns > whole ? several : format_share(ns, whole);
    const auto each = static_cast<uint64_t>(static_cast<double>(ns) / per + 0.5);
    return std::string(what) + " " + format_time(each) + (share.empty() ? "" : " (" + share + ")");
  };
  const std::string launches = format_count(static_cast<double>(sum.launches) / per);
  // If windows show how idle the GPU was, the lower bound that waits give is not printed.
  const std::string idle =
      analysis.devices.empty() ? ", " + part("GPU idle, at least", sum.idle_ns, "several GPUs") : "";
  return (by_step ? "a step: " : "in all: ") + part("host blocked", sum.blocked_ns, "several threads") + idle + ", " +
         launches + (launches == "1" ? " launch" : " launches");
}

uint64_t weight(const timeline::Tally& tally) { return std::max(tally.idle_ns, tally.blocked_ns); }

// In parentheses, the lines with most of the time outside of regular steps. They are not ranked, since no step contains
// them.
std::string most_of(const Analysis& analysis, timeline::Tally timeline::Site::* part) {
  struct Named {
    const char* what;
    const reader::Place* place;
    uint64_t ns;
  };
  std::vector<Named> all;
  for (const timeline::Site& site : analysis.sites) {
    const timeline::Tally& tally = site.*part;
    if (weight(tally) == 0) continue;
    const Named one{tally.idle_ns > tally.blocked_ns ? "GPU idle " : "host blocked ", &site.place, weight(tally)};
    // Several sites may have one place: calls of one line, or those of which no line is known.
    const auto same = std::ranges::find_if(
        all, [&](const Named& other) { return other.what == one.what && *other.place == *one.place; });
    if (same != all.end())
      same->ns += one.ns;
    else
      all.push_back(one);
  }
  std::ranges::stable_sort(all, std::greater(), &Named::ns);
  std::string text;
  for (size_t i = 0; i < all.size() && i < kSitesNamed; ++i) {
    const bool is_said = i != 0 && all[i - 1].what == all[i].what;
    text += (i == 0 ? " (" : ", ") + std::string(is_said ? "" : all[i].what) + format_time(all[i].ns) + " at " +
            keep_tail(place_text(*all[i].place), kPlaceWidth);
  }
  return all.empty() ? text : text + ")";
}

std::string start_up_text(const Analysis& analysis, uint64_t begin_ns) {
  const uint64_t first = analysis.steps.regular.front().begin;
  return "start-up: " + format_time(first > begin_ns ? first - begin_ns : 0) + " before step " +
         std::to_string(analysis.steps.warm_up + 1) + most_of(analysis, &timeline::Site::start_up);
}

// If steps that are left out take much of the run, the step's figures do not show where that time went.
std::string left_out_text(const Analysis& analysis) {
  const uint64_t left_out = analysis.steps.left_out_ns(), all = left_out + analysis.steps.regular_ns();
  if (static_cast<double>(left_out) < kMuchLeftOut * static_cast<double>(all)) return "";
  return "left out: " + format_time(left_out) + ", " + format_share(left_out, all) + " of the time from step " +
         std::to_string(analysis.steps.warm_up + 1) + " on" + most_of(analysis, &timeline::Site::left_out);
}

}  // namespace

void write_header(const RunReport& report, const Style& style, std::ostream& out) {
  const Analysis& analysis = report.analysis;
  const std::string command = joined(report.trace->command_line());
  out << style(Colour::kBold,
               "syncsniff: " + keep_head(command.empty() ? report.trace->path : command, kReportWidth - 11))
      << '\n';
  std::vector<std::string> lines{format_time(analysis.run_ns) + devices_text(analysis.device_ids) +
                                     (report.trace->ended_early() ? " (ended early)" : ""),
                                 steps_text(analysis.steps), cost_text(analysis)};
  if (analysis.steps.found()) {
    lines.push_back(start_up_text(analysis, report.trace->begin_ns()));
    if (std::string text = left_out_text(analysis); !text.empty()) lines.push_back(std::move(text));
  }
  for (const std::string& line : lines)
    for (const std::string& row : wrap(line, 0, kReportWidth)) out << row << '\n';
  out << '\n';
}

}  // namespace syncsniff::report
