#include <cmath>
#include <nlohmann/json.hpp>

#include "instrument/compare/comparison_text.h"
#include "instrument/report/json_parts.h"
#include "rules/untrusted_text.h"

namespace syncsniff::compare {
namespace {

using Json = nlohmann::ordered_json;
using report::place_json;

constexpr int kFormatVersion = 1;

const char* to_string(Unit unit) {
  static constexpr const char* kNames[] = {"ns", "share", "count", "bytes"};
  return kNames[static_cast<size_t>(unit)];
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json change_json(const std::optional<double>& a, const std::optional<double>& b) {
  Json json{{"a", or_null(a)}, {"b", or_null(b)}};
  json["change"] = a && b ? Json(*b - *a) : Json();
  return json;
}

Json figure_json(const Figure& figure) {
  Json json{{"name", figure.name}, {"unit", to_string(figure.unit)}};
  json.update(change_json(figure.a, figure.b));
  return json;
}

Json line_json(const LineChange& line) {
  Json json{{"fate", to_string(line.fate())}, {"what", line.kind}, {"place", place_json(line.line.place)}};
  if (line.in_a && line.in_b && !(line.was == line.line.place)) json["was"] = place_json(line.was);
  if (!line.line.inner.file.empty()) json["inner"] = place_json(line.line.inner);
  if (!line.line.before.file.empty()) json["after"] = place_json(line.line.before);
  if (!line.call.empty()) json["call"] = line.call;
  if (!line.thread.empty()) json["thread"] = line.thread;
  json["a_ns"] = std::llround(line.a_ns);
  json["b_ns"] = std::llround(line.b_ns);
  json["change_ns"] = std::llround(line.change_ns());
  return json;
}

Json call_json(const LineChange& line) {
  Json json = line_json(line);
  if (!line.rule.empty()) json["rule"] = line.rule;
  json["a_calls"] = line.a_count;
  json["b_calls"] = line.b_count;
  json["a_copied_bytes"] = line.a_bytes;
  json["b_copied_bytes"] = line.b_bytes;
  return json;
}

Json side_json(const RunFigures& run, const Spread& spread) {
  Json json{{"trace", run.path}, {"command", run.command}, {"duration_ns", std::llround(run.run_ns)}};
  if (run.rank) json["rank"] = *run.rank;
  json["code_patterns"] = report::code_patterns_json(run.code_patterns);
  json["steps"] = {{"found", run.steps.found()},         {"how", run.steps.how},
                   {"confidence", run.steps.confidence}, {"seen", run.steps.seen},
                   {"count", run.steps.measured},        {"median_ns", std::llround(run.steps.median_ns)}};
  json["recordings"] = Json::array();
  for (const Recording& recording : run.recordings)
    json["recordings"].push_back({{"trace", recording.path}, {"median_ns", std::llround(recording.median_ns)}});
  if (spread.count != 0)
    json["steps"].update(
        {{"timed", spread.count}, {"quartiles_ns", {std::llround(spread.low), std::llround(spread.high)}}});
  return json;
}

Json step_json(const MedianRatio& step) {
  Json json{{"ratio", step.ratio}, {"interval", Json()}, {"beyond_noise", Json()}};
  if (!step.known) return json;
  json["interval"] = {step.low, step.high};
  json["drift"] = step.drift;
  json["beyond_noise"] = step.beyond_noise();
  return json;
}

}  // namespace

void write_json(const Comparison& change, std::ostream& out) {
  Json json{{"format", "syncsniff-diff"}, {"version", kFormatVersion}, {"per", change.by_step ? "step" : "second"}};
  json["a"] = side_json(change.a, change.a_steps);
  json["b"] = side_json(change.b, change.b_steps);
  json["step"] = change.by_step ? step_json(change.step) : Json();
  json["limits"] = Json::object();  // named as in --fail-on
  for (const auto& [name, value] : change.a.gates) json["limits"][name] = change_json(value, change.b.gates.at(name));
  json["figures"] = Json::array();
  for (const Figure& figure : change.figures) json["figures"].push_back(figure_json(figure));
  json["gpu"] = Json::array();
  for (const DeviceChange& device : change.devices) {
    Json item{{"device", device.device}, {"figures", Json::array()}, {"idle_lines", Json::array()}};
    for (const Figure& figure : device.figures) item["figures"].push_back(figure_json(figure));
    for (const LineChange& line : device.lines) item["idle_lines"].push_back(line_json(line));
    json["gpu"].push_back(std::move(item));
  }
  json["calls"] = Json::array();
  for (const LineChange& line : change.calls) json["calls"].push_back(call_json(line));
  json["notes"] = change.notes;
  out << guard_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace syncsniff::compare
