#include "instrument/compare/run_figures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "instrument/compare/median_change.h"
#include "instrument/report/host_parts.h"
#include "instrument/report/host_rows.h"
#include "instrument/report/spelling.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::compare {
namespace {

using timeline::HostDoing;

bool is_launch(const timeline::Site& site) { return site.call_class == trace::CallClass::kLaunch; }

using SiteKey = std::tuple<std::string, uint32_t, uint64_t, std::string>;  // file, line, offset, api
SiteKey key_of(const timeline::Site& site) { return {site.place.file, site.place.line, site.place.offset, site.api}; }

// Maps each call's line to its finding.
std::map<SiteKey, const Finding*> findings_of(const report::RunReport& report) {
  std::map<SiteKey, const Finding*> findings;
  for (const report::Line& line : report.verdicts.lines)
    if (line.finding != nullptr)
      for (size_t strand : line.strands) findings.try_emplace(key_of(report.analysis.strands[strand]), line.finding);
  return findings;
}

CallLine line_of(const timeline::Site& site, const timeline::Tally& tally, double per) {
  CallLine line;
  line.line.place = site.place;
  line.line.what = report::user_spelling(site.api);
  line.launching = is_launch(site);
  line.count = static_cast<double>(tally.calls + tally.launches) / per;
  line.time_ns = static_cast<double>(line.launching ? tally.launch_ns : tally.blocked_ns) / per;
  if (site.call_class == trace::CallClass::kCopy) line.bytes = static_cast<double>(tally.bytes) / per;
  return line;
}

// Adds a call to its line. Several driver functions may implement one runtime call: they are summed up under its name.
void add(const CallLine& line, std::vector<CallLine>& lines, std::map<SiteKey, size_t>& known) {
  const reader::Place& place = line.line.place;
  const auto [at, fresh] = known.try_emplace({place.file, place.line, place.offset, line.line.what}, lines.size());
  if (fresh) return lines.push_back(line);
  CallLine& sum = lines[at->second];
  sum.launching = sum.launching && line.launching;
  sum.count += line.count;
  sum.time_ns += line.time_ns;
  sum.bytes += line.bytes;
  if (sum.rule.empty()) sum.rule = line.rule, sum.line.fingerprint = line.line.fingerprint;
}

// `tally`: which tally of each site to read; `per`: the number of steps or seconds that it covers.
CallFigures calls_of(const report::RunReport& report, timeline::Tally timeline::Site::* tally, double per) {
  const std::map<SiteKey, const Finding*> findings = findings_of(report);
  std::map<SiteKey, size_t> known;
  CallFigures figures;
  if (per <= 0) return figures;
  for (const timeline::Site& site : report.analysis.sites) {
    CallLine line = line_of(site, site.*tally, per);
    if (const auto finding = findings.find(key_of(site)); finding != findings.end()) {
      line.rule = finding->second->rule;
      line.line.fingerprint = finding->second->fingerprint;
    }
    figures.copied_bytes += line.bytes;
    figures.launches += static_cast<double>((site.*tally).launches) / per;
    figures.blocked_ns += static_cast<double>((site.*tally).blocked_ns) / per;
    if (line.count != 0 || line.time_ns != 0) add(line, figures.lines, known);
  }
  return figures;
}

IdleLine line_of(const timeline::HostLine& host, const timeline::StepShare& share) {
  IdleLine line;
  line.doing = report::doing_text(host);
  line.share = share.of(host) / share.step_ns;
  const std::string what = line.doing + "\n" + host.api + "\n" + host.thread;
  // Every launch has launch latency, so all of it is one line without a place.
  line.line = host.doing == HostDoing::kStarting ? LineId{{}, {}, {}, what, ""}
                                                 : LineId{host.place, host.inner, host.before, what, ""};
  line.thread = host.thread;
  if (!host.api.empty()) line.call = report::user_spelling(host.api);
  return line;
}

DeviceFigures device_of(const timeline::DeviceTimeline& device, const timeline::StepShare& share) {
  DeviceFigures figures;
  figures.device = device.device;
  figures.of_steps = share.of_steps;
  figures.step_ns = share.step_ns;
  figures.busy = share.busy_ns / share.step_ns;
  figures.idle = share.idle_ns / share.step_ns;
  for (const report::HostPart& cause : report::idle_causes(device, share))
    figures.causes.emplace_back(cause.name, cause.ns / share.step_ns);
  for (const report::HostPart& part : report::host_parts(device, share))
    figures.host.emplace_back(part.name, part.ns / share.step_ns);
  for (const timeline::HostLine& host : device.host_lines) figures.lines.push_back(line_of(host, share));
  return figures;
}

StepFigures steps_of(const report::RunReport& report) {
  const timeline::Steps& steps = report.analysis.steps;
  StepFigures figures;
  figures.seen = steps.seen;
  figures.measured = steps.regular.size();
  figures.median_ns = static_cast<double>(steps.median_ns);
  figures.how = steps.how;
  figures.confidence = steps.confidence;
  if (steps.evenly_cut) return figures;
  for (const timeline::Interval& step : timeline::timed_steps(*report.trace, steps.regular))
    figures.times_ns.push_back(static_cast<double>(step.length()));
  return figures;
}

}  // namespace

RunFigures figures_of_run(const report::RunReport& report) {
  const timeline::Analysis& analysis = report.analysis;
  RunFigures run;
  run.path = report.trace->path;
  run.command = report.trace->command_line();
  if (report.trace->header.rank_and_one != 0) run.rank = report.trace->header.rank_and_one - 1;
  run.run_ns = static_cast<double>(analysis.run_ns);
  run.steps = steps_of(report);
  if (run.steps.found()) run.of_step = calls_of(report, &timeline::Site::stepping, analysis.measured_steps());
  run.of_second = calls_of(report, &timeline::Site::run, run.run_ns / kSecondNs);
  for (const timeline::DeviceTimeline& device : analysis.devices)
    if (const auto share = timeline::share_of_step(device, analysis.steps); share.step_ns > 0)
      run.devices.push_back(device_of(device, share));
  run.gates = report::figures_of(report);
  run.code_patterns = report.code_patterns;
  run.ended_early = report.trace->ended_early();
  run.dropped_records = report.trace->header.dropped_records;
  return run;
}

RunFigures together(std::vector<RunFigures> runs) {
  const auto has_steps = [](const RunFigures& run) { return run.steps.found(); };
  if (std::any_of(runs.begin(), runs.end(), has_steps))
    runs.erase(std::remove_if(runs.begin(), runs.end(), std::not_fn(has_steps)), runs.end());
  std::stable_sort(runs.begin(), runs.end(),
                   [](const auto& x, const auto& y) { return x.steps.median_ns < y.steps.median_ns; });
  std::vector<Recording> recordings;
  std::vector<double> medians;
  for (const RunFigures& run : runs) {
    recordings.push_back({run.path, run.steps.median_ns, run.steps.times_ns});
    medians.push_back(run.steps.median_ns);
  }
  RunFigures middle = std::move(runs[(runs.size() - 1) / 2]);
  middle.recordings = std::move(recordings);
  if (!middle.steps.found() || medians.size() == 1) return middle;
  middle.steps.median_ns = middle_of(std::move(medians));
  middle.gates["step_ms"] = middle.steps.median_ns / 1e6;
  return middle;
}

}  // namespace syncsniff::compare
