#include "instrument/report/ranks.h"

#include <algorithm>

#include "instrument/report/host_parts.h"
#include "instrument/report/units.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {
namespace {

using timeline::HostDoing;

constexpr double kClearlyLater = 0.05;  // of a step; the least difference in time spent in collectives
constexpr size_t kNameWidth = 20, kCell = 11;

std::string percent_of_step(double share) {
  return format_share(static_cast<uint64_t>(std::max(0.0, share) * 10000 + 0.5), 10000);
}

}  // namespace

Rank summarise(const RunReport& report) {
  const timeline::Analysis& analysis = report.analysis;
  Rank rank;
  rank.trace = report.trace->path;
  rank.pid = report.trace->header.pid;
  if (report.trace->header.rank_and_one != 0) rank.rank = report.trace->header.rank_and_one - 1;
  rank.begin_ns = report.trace->header.start_realtime_ns;
  rank.end_ns = rank.begin_ns + std::max(report.trace->end_ns(), report.trace->begin_ns()) - report.trace->begin_ns();
  rank.devices = analysis.device_ids;
  rank.launches = analysis.run.launches;
  rank.used_gpu = analysis.run.launches + analysis.run.waits != 0;
  rank.steps = analysis.steps.found() ? analysis.steps.seen : 0;
  rank.step_ns = static_cast<double>(analysis.steps.median_ns);
  rank.figures = figures_of(report);
  for (const timeline::DeviceTimeline& device : analysis.devices) {
    const timeline::StepShare share = timeline::share_of_step(device, analysis.steps);
    if (share.step_ns <= 0) continue;
    // For a process with several devices, these are means.
    const double weight = 1 / static_cast<double>(analysis.devices.size());
    rank.measured = true;
    rank.busy += weight * share.busy_ns / share.step_ns;
    rank.idle += weight * share.idle_ns / share.step_ns;
    // It is part of the GPU's busy time, so it is converted from the windows to a step in the same way.
    const double of_busy =
        device.busy_ns == 0 ? 0 : static_cast<double>(device.collective_ns) / static_cast<double>(device.busy_ns);
    rank.collective += weight * of_busy * share.busy_ns / share.step_ns;
    const std::vector<HostPart> parts = host_parts(device, share);
    rank.launching += weight * part_ns(parts, HostDoing::kLaunching) / share.step_ns;
    rank.host_code += weight * part_ns(parts, HostDoing::kCode) / share.step_ns;
    for (const HostPart& part : parts)
      if (part.waits) rank.waiting += weight * part.ns / share.step_ns;
  }
  return rank;
}

std::optional<size_t> late_rank(const std::vector<Rank>& ranks) {
  if (ranks.size() < 2) return std::nullopt;
  const auto less = [](const Rank& a, const Rank& b) { return a.collective < b.collective; };
  if (!std::all_of(ranks.begin(), ranks.end(), [](const Rank& rank) { return rank.measured; })) return std::nullopt;
  const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end(), less);
  if (most->collective - least->collective < kClearlyLater) return std::nullopt;
  return static_cast<size_t>(least - ranks.begin());
}

size_t telling_rank(const std::vector<Rank>& ranks) {
  if (const auto late = late_rank(ranks)) return *late;
  const auto idles_less = [](const Rank& a, const Rank& b) { return a.idle < b.idle; };
  return static_cast<size_t>(std::max_element(ranks.begin(), ranks.end(), idles_less) - ranks.begin());
}

std::string name_of(const Rank& rank) {
  const std::string pid = "pid " + std::to_string(rank.pid);
  return rank.rank ? "rank " + std::to_string(*rank.rank) + " (" + pid + ")" : pid;
}

void write_ranks(const std::vector<Rank>& ranks, const Style& style, std::ostream& out) {
  out << style(Colour::kBold, std::to_string(ranks.size()) + " processes of this job used a GPU") << '\n';
  std::string head = pad_right("", kNameWidth);
  for (const char* cell : {"steps", "a step", "GPU busy", "collective", "launching", "host code", "waiting"})
    head += pad_left(cell, kCell);
  out << style(Colour::kBold, head) << '\n';
  for (const Rank& rank : ranks) {
    out << pad_right(name_of(rank), kNameWidth)
        << pad_left(rank.steps != 0 ? format_count(static_cast<double>(rank.steps)) : "-", kCell)
        << pad_left(rank.steps != 0 ? format_time(static_cast<uint64_t>(rank.step_ns)) : "-", kCell);
    for (double share : {rank.busy, rank.collective, rank.launching, rank.host_code, rank.waiting})
      out << pad_left(rank.measured ? percent_of_step(share) : "-", kCell);
    out << '\n';
  }
  if (const auto late = late_rank(ranks)) {
    double longest = 0;
    for (const Rank& rank : ranks) longest = std::max(longest, rank.collective - ranks[*late].collective);
    const std::string text = name_of(ranks[*late]) + " is late: the others wait for it in collectives, up to " +
                             percent_of_step(longest) + " of a step; their GPUs count as busy while they wait";
    for (const std::string& line : wrap(text, 0, kReportWidth)) out << line << '\n';
  }
  out << '\n';
}

}  // namespace syncsniff::report
