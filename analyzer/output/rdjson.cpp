// https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "analyzer/output/hot_calls.h"
#include "analyzer/output/writers.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

using Json = nlohmann::ordered_json;

const char* rdjson_severity(Severity severity) {
  switch (severity) {
    case Severity::kHigh:
      return "ERROR";
    case Severity::kMedium:
      return "WARNING";
    default:
      return "INFO";
  }
}

Json position(unsigned line, unsigned column) {
  Json json{{"line", line}};
  if (column > 0) json["column"] = column;  // in bytes of UTF-8, as in Location
  return json;
}

// In both formats the end is exclusive. An end without a column would include its line, so it is left out.
Json location_json(const Location& location) {
  Json json{{"path", location.file}};
  if (location.line == 0) return json;
  json["range"]["start"] = position(location.line, location.column);
  const bool has_end = location.column > 0 && location.end_column > 0 &&
                       std::tie(location.end_line, location.end_column) > std::tie(location.line, location.column);
  if (has_end) json["range"]["end"] = position(location.end_line, location.end_column);
  return json;
}

Json position_at(const SourceText& source, size_t offset) {
  const std::string& text = source.text();
  if (offset == text.size() && (text.empty() || text.back() == '\n')) return position(source.line_count() + 1, 1);
  const unsigned line = source.line_at(offset);
  return position(line, static_cast<unsigned>(offset - source.line_start(line)) + 1);
}

// The edits of a fix as one replacement in the finding's file: several suggestions would be alternatives, and a
// suggestion names no file. nullopt if the edits are not in that file or do not fit it.
std::optional<Json> suggestion(const Finding& finding, SourceCache& sources) {
  std::vector<Edit> edits = finding.fix.edits;
  const SourceText* source = edits.empty() ? nullptr : sources.get(finding.location.file);
  if (source == nullptr) return std::nullopt;
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
  const std::string& before = source->text();
  const size_t begin = edits.front().offset;
  size_t end = begin;
  std::string after;
  for (const Edit& edit : edits) {
    const bool fits =
        edit.file == finding.location.file && edit.offset >= end && edit.offset + size_t{edit.length} <= before.size();
    if (!fits) return std::nullopt;
    after += before.substr(end, edit.offset - end) + edit.replacement;
    end = edit.offset + size_t{edit.length};
  }
  return Json{{"range", {{"start", position_at(*source, begin)}, {"end", position_at(*source, end)}}}, {"text", after}};
}

Json related(const Finding& finding) {
  Json places = Json::array();
  for (const auto* steps : {&finding.path, &finding.evidence})
    for (const PathStep& step : *steps)
      places.push_back({{"message", step.message}, {"location", location_json(step.location)}});
  return places;
}

Json diagnostic(const Finding& finding, SourceCache& sources) {
  Json json;
  json["message"] = finding.message + and_by_more_calls(finding.calls_left_out) +
                    (finding.fix.description.empty() ? "" : "\nfix: " + finding.fix.description);
  json["location"] = location_json(finding.location);
  json["severity"] = rdjson_severity(finding.severity);
  json["code"]["value"] = finding.rule;
  if (auto edit = suggestion(finding, sources)) json["suggestions"] = Json::array({std::move(*edit)});
  if (Json places = related(finding); !places.empty()) json["related_locations"] = std::move(places);
  return json;
}

Json diagnostic(const UnitStatus& unit) {
  const bool partial = unit.status == "partial";
  return {{"message", (partial ? "only partly analysed: " : "not analysed: ") + unit.why},
          {"location", {{"path", unit.file}}},
          {"severity", partial ? "WARNING" : "ERROR"}};
}

}  // namespace

std::string write_rdjson(const Report& report) {
  Json result;
  result["source"]["name"] = "syncsniff";
  result["diagnostics"] = Json::array();
  for (const Finding& finding : counted_places(report.document, report.baseline))
    result["diagnostics"].push_back(diagnostic(finding, report.sources));
  for (const UnitStatus& unit : report.document.units)
    if (unit.status != "analysed") result["diagnostics"].push_back(diagnostic(unit));
  return guard_json(result.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace syncsniff::output
