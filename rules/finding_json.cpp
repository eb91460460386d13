// Findings as JSON: what `check --format=json` writes and what `run` and `report` join with a trace.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "rules/finding.h"
#include "rules/regular_file.h"
#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kFormatVersion = 1;

Json to_json(const Location& at) {
  Json json = {{"file", at.file}, {"line", at.line}, {"column", at.column}};
  json["endLine"] = at.end_line;
  json["endColumn"] = at.end_column;
  return json;
}

Json to_json(const std::vector<PathStep>& steps) {
  Json json = Json::array();
  for (const PathStep& step : steps) json.push_back({{"location", to_json(step.location)}, {"message", step.message}});
  return json;
}

Json to_json(const Fix& fix) {
  Json edits = Json::array();
  for (const Edit& edit : fix.edits) {
    edits.push_back(
        {{"file", edit.file}, {"offset", edit.offset}, {"length", edit.length}, {"replacement", edit.replacement}});
  }
  return {{"tier", to_string(fix.tier)}, {"description", fix.description}, {"edits", edits}};
}

Json to_json(const Finding& finding) {
  Json json = {{"rule", finding.rule},
               {"level", finding.level},
               {"severity", to_string(finding.severity)},
               {"message", finding.message},
               {"location", to_json(finding.location)}};
  if (finding.release.line != 0) json["release"] = to_json(finding.release);
  if (finding.scope.line != 0) json["scope"] = to_json(finding.scope);
  json["callee"] = finding.callee;
  json["function"] = finding.function;
  if (finding.hot_call.line != 0) {
    json["hotCall"] = to_json(finding.hot_call);
    json["hotFunction"] = finding.hot_function;
  }
  json["path"] = to_json(finding.path);
  json["evidence"] = to_json(finding.evidence);
  json["fix"] = to_json(finding.fix);
  json["fingerprint"] = finding.fingerprint;
  if (!finding.call_fingerprints.empty()) json["callFingerprints"] = finding.call_fingerprints;
  if (finding.calls_left_out > 0) json["callsLeftOut"] = finding.calls_left_out;
  json["allowed"] = finding.allowed;
  if (finding.allowed) json["allowedBecause"] = finding.allowed_because;
  return json;
}

// A value and its place in the document ("findings[3].location.line"), for messages.
class JsonView {
 public:
  JsonView(const Json& json, std::string file, std::string path)
      : json_(&json), file_(std::move(file)), path_(std::move(path)) {}

  JsonView required(const char* key) const {
    expect_object();
    const auto found = json_->find(key);
    if (found == json_->end()) fail(path_of(key), "is missing");
    return {*found, file_, path_of(key)};
  }
  std::optional<JsonView> optional(const char* key) const {
    expect_object();
    const auto found = json_->find(key);
    if (found == json_->end() || found->is_null()) return std::nullopt;
    return JsonView(*found, file_, path_of(key));
  }
  std::vector<JsonView> elements() const {
    if (!json_->is_array()) fail(path_, "must be a list");
    std::vector<JsonView> list;
    for (size_t i = 0; i < json_->size(); ++i) {
      list.emplace_back((*json_)[i], file_, path_ + "[" + std::to_string(i) + "]");
    }
    return list;
  }
  std::string text() const {
    if (!json_->is_string()) fail(path_, "must be a string");
    return json_->get<std::string>();
  }
  unsigned number() const {
    if (!json_->is_number_unsigned() || json_->get<uint64_t>() > UINT32_MAX) fail(path_, "must be a whole number");
    return json_->get<unsigned>();
  }
  bool flag() const {
    if (!json_->is_boolean()) fail(path_, "must be true or false");
    return json_->get<bool>();
  }
  // Converts the text; turns a std::invalid_argument of the conversion into an error with the place in the document.
  template <typename Convert>
  auto word(Convert convert) const {
    try {
      return convert(text());
    } catch (const std::invalid_argument& error) {
      fail(path_, error.what());
    }
  }
  std::string text_or_empty(const char* key) const {
    const auto value = optional(key);
    return value ? value->text() : "";
  }
  unsigned number_or_zero(const char* key) const {
    const auto value = optional(key);
    return value ? value->number() : 0;
  }
  [[noreturn]] void fail(const std::string& path, const std::string& problem) const {
    throw std::runtime_error(file_ + ": " + (path.empty() ? "the document" : path) + " " + problem);
  }

 private:
  void expect_object() const {
    if (!json_->is_object()) fail(path_, "must be an object");
  }
  std::string path_of(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json* json_;
  std::string file_, path_;
};

Location read_location(const JsonView& json) {
  Location at;
  at.file = json.required("file").text();
  at.line = json.required("line").number();
  at.column = json.number_or_zero("column");
  at.end_line = json.number_or_zero("endLine");
  at.end_column = json.number_or_zero("endColumn");
  return at;
}

std::vector<PathStep> read_steps(const std::optional<JsonView>& json) {
  std::vector<PathStep> steps;
  if (!json) return steps;
  for (const JsonView& step : json->elements()) {
    steps.push_back({read_location(step.required("location")), step.text_or_empty("message")});
  }
  return steps;
}

Fix read_fix(const JsonView& json) {
  Fix fix;
  if (const auto tier = json.optional("tier")) fix.tier = tier->word(fix_tier_from_string);
  fix.description = json.text_or_empty("description");
  if (const auto edits = json.optional("edits")) {
    for (const JsonView& edit : edits->elements()) {
      fix.edits.push_back({edit.required("file").text(), edit.required("offset").number(),
                           edit.required("length").number(), edit.required("replacement").text()});
    }
  }
  return fix;
}

Finding read_finding(const JsonView& json) {
  Finding finding;
  finding.rule = json.required("rule").text();
  finding.level = static_cast<int>(json.number_or_zero("level"));
  if (const auto severity = json.optional("severity")) finding.severity = severity->word(severity_from_string);
  finding.message = json.text_or_empty("message");
  finding.location = read_location(json.required("location"));
  if (const auto release = json.optional("release")) finding.release = read_location(*release);
  if (const auto scope = json.optional("scope")) finding.scope = read_location(*scope);
  finding.callee = json.text_or_empty("callee");
  finding.function = json.text_or_empty("function");
  if (const auto call = json.optional("hotCall")) finding.hot_call = read_location(*call);
  finding.hot_function = json.text_or_empty("hotFunction");
  finding.path = read_steps(json.optional("path"));
  finding.evidence = read_steps(json.optional("evidence"));
  if (const auto fix = json.optional("fix")) finding.fix = read_fix(*fix);
  finding.fingerprint = json.text_or_empty("fingerprint");
  if (const auto known = json.optional("callFingerprints"))
    for (const JsonView& one : known->elements()) finding.call_fingerprints.push_back(one.text());
  finding.calls_left_out = json.number_or_zero("callsLeftOut");
  if (const auto allowed = json.optional("allowed")) finding.allowed = allowed->flag();
  finding.allowed_because = json.text_or_empty("allowedBecause");
  return finding;
}

// What is wrong with a text that is not JSON, with its line.
std::string fault_of(const std::string& text, const Json::parse_error& error) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "is empty";
  if (error.byte > text.size()) return "is not whole: the JSON ends too early";
  const auto at = text.begin() + static_cast<std::ptrdiff_t>(error.byte != 0 ? error.byte - 1 : 0);
  return "is not JSON: wrong at line " + std::to_string(1 + std::count(text.begin(), at, '\n'));
}

Json parse_file(const std::string& path) {
  std::string problem;
  const std::optional<std::string> text = read_regular_file(path, problem);
  if (!text) throw std::runtime_error(path + ": " + problem);
  try {
    return Json::parse(*text);
  } catch (const Json::parse_error& error) {
    throw std::runtime_error(path + ": " + fault_of(*text, error));
  } catch (const Json::exception& error) {  // a number out of range
    throw std::runtime_error(path + ": cannot be read: " + error.what());
  }
}

FindingsDocument read_document(const std::string& path) {
  const Json json = parse_file(path);
  const JsonView root(json, path, "");
  const auto version = root.optional("version");
  if (version && version->number() > kFormatVersion) {
    root.fail("version", "is newer than this syncsniff reads (" + std::to_string(kFormatVersion) + ")");
  }
  FindingsDocument document;
  for (const JsonView& finding : root.required("findings").elements()) {
    document.findings.push_back(read_finding(finding));
    document.without_callee += !finding.optional("callee");
  }
  if (const auto units = root.optional("units")) {
    for (const JsonView& unit : units->elements()) {
      document.units.push_back(
          {unit.required("file").text(), unit.required("status").text(), unit.text_or_empty("why")});
    }
  }
  return document;
}

}  // namespace

std::string write_findings_json(const FindingsDocument& document) {
  Json json = {{"version", kFormatVersion}, {"tool", {{"name", "syncsniff"}, {"version", SYNCSNIFF_VERSION}}}};
  json["findings"] = Json::array();
  for (const Finding& finding : document.findings) json["findings"].push_back(to_json(finding));
  json["units"] = Json::array();
  for (const UnitStatus& unit : document.units) {
    json["units"].push_back({{"file", unit.file}, {"status", unit.status}, {"why", unit.why}});
  }
  // Source text may contain bytes that are not UTF-8; they are replaced, since dump() would throw by default.
  return guard_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

FindingsDocument read_findings_json(const std::string& path) {
  try {
    return read_document(path);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(error.what() + std::string("; write it with `syncsniff check --format=json -o FILE`"));
  }
}

}  // namespace syncsniff
