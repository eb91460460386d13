#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>

#include "instrument/reader/record_fields.h"
#include "instrument/report/json_parts.h"
#include "instrument/report/ranks.h"
#include "instrument/report/report.h"
#include "instrument/timeline/device_peaks.h"
#include "instrument/timeline/remedies.h"
#include "instrument/timeline/step_regime.h"
#include "instrument/timeline/step_share.h"
#include "rules/untrusted_text.h"

namespace syncsniff::report {
namespace {

using Json = nlohmann::ordered_json;
using timeline::Tally;

constexpr int kFormatVersion = 1;

Json tally_json(const Tally& tally) {
  return {{"calls", tally.calls},
          {"in_call_ns", tally.in_call_ns},
          {"blocked_ns", tally.blocked_ns},
          {"idle_ns", tally.idle_ns},
          {"idle_in_calls_ns", tally.idle_in_calls_ns},
          {"exposed_ns", tally.exposed_ns},
          {"saving_ns", tally.saving_ns},
          {"bytes", tally.bytes},
          {"polls", tally.polls},
          {"launches", tally.launches},
          {"launch_ns", tally.launch_ns}};
}

Json memory_json(uint8_t kinds) {
  static constexpr const char* kNames[] = {"unknown", "pageable", "pinned", "managed", "device", "array"};
  Json names = Json::array();
  for (size_t i = 1; i < std::size(kNames); ++i)
    if (kinds & (1u << i)) names.push_back(kNames[i]);
  return names;
}

Json line_json(const Line& line) {
  Json json = place_json(line.place);
  json["what"] = line.what;
  json["call"] = line.call;
  json["saves_per_step_ns"] = std::llround(line.saves_ns);
  json["saves_alone_per_step_ns"] = std::llround(line.alone_ns);
  json["verdict"] = to_string(line.verdict);
  json["measured_by"] = line.launching ? "launches" : "waits";
  if (line.finding != nullptr) {
    json["rule"] = line.finding->rule;
    json["also"] = line.also;
    json["severity"] = to_string(line.finding->severity);
    json["message"] = line.finding->message;
    json["fingerprint"] = line.finding->fingerprint;
  }
  if (!line.fix.empty()) json["fix"] = line.fix;
  if (!line.why_not.empty()) json["why"] = line.why_not;
  json["run"] = tally_json(line.run);
  json["stepping"] = tally_json(line.stepping);
  return json;
}

const char* state_word(trace::HostState state) {
  const auto number = static_cast<size_t>(state);
  return reader::kStateWords[number < std::size(reader::kStateWords) ? number : 0];
}

Json host_line_json(const timeline::HostLine& line, const timeline::StepShare& share, const timeline::Gains& gains) {
  Json json = place_json(line.place);
  json["doing"] = to_string(line.doing);
  json["part"] = to_string(line.part);
  json["state"] = state_word(line.state);
  json["idle_ns"] = line.idle_ns;
  json["per_step_ns"] = std::llround(share.of(line));
  if (share.of_steps && line.doing != timeline::HostDoing::kStarting) {
    json["remedy"] = to_string(timeline::remedy_of(line));
    const double saves = gains.of(line);
    json["saves_ns"] = std::llround(timeline::expected_saving(line, share, share.of(line), saves));
    json["saves_at_most_ns"] = std::llround(timeline::saves_at_most(line, share, share.of(line), saves));
  }
  if (!line.inner.file.empty()) json["inner"] = place_json(line.inner);
  if (!line.before.file.empty()) json["after"] = place_json(line.before);
  if (!line.api.empty()) json["api"] = line.api;
  if (!line.thread.empty()) json["thread"] = line.thread;
  if (!line.preceding_wait.file.empty()) json["exposed_by"] = place_json(line.preceding_wait);
  for (const timeline::LineOfWork& one : line.lines) {
    Json inside = place_json(one.place);
    inside["share"] = one.share;
    json["lines"].push_back(std::move(inside));
  }
  for (const timeline::OtherWork& work : line.meanwhile) {
    Json other = work.process.empty() ? place_json(work.place) : Json{{"process", work.process}};
    other["state"] = state_word(work.state);
    other["share"] = work.share;
    if (work.is_elsewhere)
      other["processes"] = work.threads;
    else
      other["threads"] = work.threads;
    other["threads_at_once"] = work.at_once;
    if (!work.hottest.file.empty()) other["mostly"] = place_json(work.hottest);
    json["meanwhile"].push_back(std::move(other));
  }
  if (line.launches != 0)
    json["launches"] = {{"count", line.launches},  {"spaced", line.spaced},       {"spacing_ns", line.spacing_ns},
                        {"matched", line.matched}, {"kernel_ns", line.kernel_ns}, {"kernels", line.kinds}};
  return json;
}

// Values that the trace does not show are null.
Json regime_json(const timeline::DeviceTimeline& device, const timeline::StepShare& share) {
  const timeline::RegimeOf of = timeline::regime_of(device, share);
  auto optional_number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  Json json{{"regime", to_string(of.regime)}, {"busy", of.busy}};
  json["gemms"] = {{"products", device.gemms.products},
                   {"kernel_ns", device.gemms.ns},
                   {"of_kernel_ns", device.gemms.kernel_ns},
                   {"of_graph_ns", device.gemms.graph_ns},
                   {"flops_per_step", of.flops},
                   {"math", timeline::math_name(of.math)},
                   {"peak_flops_per_s", of.peak_flops},
                   {"of_peak_step", optional_number(of.of_peak_step)},
                   {"of_peak_running", optional_number(of.of_peak_running)},
                   {"of_bandwidth_running", optional_number(of.of_bandwidth_running)}};
  return json;
}

Json device_json(const timeline::DeviceTimeline& device, const timeline::Steps& steps) {
  Json json{{"device", device.device},
            {"windows", device.spans.size()},
            {"covered_ns", device.covered_ns},
            {"launched_steps", device.launched_steps},
            {"busy_ns", device.busy_ns},
            {"idle_ns", device.idle_ns},
            {"kernels", device.kernels},
            {"copies", device.copies},
            {"collective_ns", device.collective_ns},
            {"sets", device.sets}};
  const timeline::StepShare share = timeline::share_of_step(device, steps);
  json["step"] = {{"of_steps", share.of_steps},
                  {"by_launches", share.by_launches},
                  {"unseen_ns", std::llround(share.unseen_ns)},
                  {"steps", share.steps},
                  {"ns", std::llround(share.step_ns)},
                  {"busy_ns", std::llround(share.busy_ns)},
                  {"idle_ns", std::llround(share.idle_ns)}};
  json["regime"] = regime_json(device, share);
  Json causes = Json::object(), lines = Json::array();
  for (size_t i = 0; i < timeline::kIdleCauses; ++i)
    causes[to_string(static_cast<timeline::IdleCause>(i))] = device.idle_by_cause[i];
  for (const auto& line : device.lines) {
    Json item = place_json(line.place);
    item["cause"] = to_string(line.cause);
    item["idle_ns"] = line.idle_ns;
    item["gaps"] = line.gaps;
    if (!line.api.empty()) item["api"] = line.api;
    if (!line.before.file.empty()) item["after"] = place_json(line.before);
    lines.push_back(std::move(item));
  }
  json["idle_by_cause"] = std::move(causes);
  json["idle_lines"] = std::move(lines);
  json["host"] = Json::array();
  const timeline::Gains gains(device, share);
  for (const auto& line : device.host_lines) json["host"].push_back(host_line_json(line, share, gains));
  return json;
}

Json rank_json(const Rank& rank) {
  Json json{{"trace", rank.trace},           {"pid", rank.pid},
            {"devices", rank.devices},       {"launches", rank.launches},
            {"steps", rank.steps},           {"step_ns", std::llround(rank.step_ns)},
            {"measured", rank.measured},     {"busy", rank.busy},
            {"collective", rank.collective}, {"launching", rank.launching},
            {"host_code", rank.host_code},   {"waiting", rank.waiting}};
  if (rank.rank) json["rank"] = *rank.rank;
  return json;
}

// If `steps` is not 0, sums over the steps that lie in windows; otherwise over all windows.
Json sent_again_json(const timeline::SentAgain& all) {
  Json lines = Json::array();
  for (const timeline::SentLine& line : all.lines) {
    Json json = place_json(line.place);
    if (!line.inner.file.empty()) json["inner"] = place_json(line.inner);
    json["api"] = line.api;
    json["memory"] = memory_json(line.host_memory);
    json["copies"] = line.copies;
    json["bytes"] = line.bytes;
    json["again"] = {{"copies", line.again},
                     {"bytes", line.again_bytes},
                     {"in_calls_ns", line.again_ns},
                     {"contents", line.again_contents},
                     {"contents_bytes", line.contents_bytes}};
    json["worth_telling"] = is_worth_telling(line, all);
    lines.push_back(std::move(json));
  }
  return {{"steps", all.steps}, {"ns", all.span_ns}, {"lines", std::move(lines)}};
}

Json totals_json(const timeline::Totals& totals) {
  return {{"blocked_ns", totals.blocked_ns},
          {"idle_ns", totals.idle_ns},
          {"saving_ns", totals.saving_ns},
          {"launches", totals.launches},
          {"waits", totals.waits}};
}

}  // namespace

void write_json(const RunReport& report, const std::vector<Rank>& ranks, std::ostream& out) {
  const auto& analysis = report.analysis;
  const auto& steps = analysis.steps;
  Json json{{"format", "syncsniff-report"},    {"version", kFormatVersion},
            {"trace", report.trace->path},     {"command", report.trace->command_line()},
            {"pid", report.trace->header.pid}, {"ended_early", report.trace->ended_early()},
            {"duration_ns", analysis.run_ns},  {"devices", analysis.device_ids}};
  json["code_patterns"] = code_patterns_json(report.code_patterns);
  json["steps"] = {{"found", steps.found()},
                   {"how", steps.how},
                   {"confidence", steps.confidence},
                   {"doubt", steps.doubt},
                   {"count", steps.regular.size()},
                   {"left_out", steps.irregular},
                   {"each", steps.each},
                   {"left_out_ns", steps.left_out_ns()},
                   {"uneven", steps.uneven},
                   {"median_ns", steps.median_ns},
                   {"warm_up", steps.warm_up},
                   {"seen", steps.seen}};
  json["totals"] = {{"run", totals_json(analysis.run)},
                    {"stepping", totals_json(analysis.stepping)},
                    {"start_up", totals_json(analysis.start_up)},
                    {"left_out", totals_json(analysis.left_out)}};
  json["replay"] = {{"usable", analysis.predicts()},
                    {"steps", analysis.replay.steps},
                    {"recorded_ns", std::llround(analysis.replay.recorded_ns)},
                    {"replayed_ns", std::llround(analysis.replay.base_ns)},
                    {"all_mended_saves_per_step_ns", std::llround(report.verdicts.joint_saving_ns)}};
  json["lines"] = Json::array();
  for (const Line& line : report.verdicts.lines) json["lines"].push_back(line_json(line));
  json["sites"] = Json::array();
  for (const auto& site : analysis.sites) {
    Json item = place_json(site.place);
    item["api"] = site.api;
    item["memory"] = memory_json(site.host_memory);
    item["run"] = tally_json(site.run);
    item["stepping"] = tally_json(site.stepping);
    json["sites"].push_back(std::move(item));
  }
  json["sent_again"] = sent_again_json(analysis.sent_again);
  json["gpu"] = Json::array();
  for (const auto& device : analysis.devices) json["gpu"].push_back(device_json(device, steps));
  json["gpu_outside_steps"] = Json::array();
  for (const auto& device : analysis.outside_steps) json["gpu_outside_steps"].push_back(device_json(device, {}));
  if (ranks.size() > 1) {
    json["ranks"] = Json::array();
    for (const Rank& rank : ranks) json["ranks"].push_back(rank_json(rank));
    if (const auto late = late_rank(ranks)) json["late_rank"] = *late;
  }
  json["notes"] = report.notes;
  out << guard_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace syncsniff::report
