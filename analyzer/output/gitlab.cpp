// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "analyzer/folders.h"
#include "analyzer/output/hot_calls.h"
#include "analyzer/output/writers.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// GitLab's fifth severity, blocker, is not used, since a stall breaks nothing.
const char* gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::kHigh:
      return "critical";
    case Severity::kMedium:
      return "major";
    case Severity::kLow:
      return "minor";
    case Severity::kInfo:
      break;
  }
  return "info";
}

// For each place, a fingerprint that does not depend on which of its calls is the hottest.
std::map<Place, std::string> place_fingerprints(const FindingsDocument& document) {
  std::map<Place, std::string> fingerprints;
  for (const Finding& finding : document.findings)
    fingerprints.emplace(place_of(finding),
                         finding.call_fingerprints.empty() ? finding.fingerprint : finding.call_fingerprints.front());
  return fingerprints;
}

}  // namespace

std::string write_gitlab(const Report& report) {
  fs::path here = report.sources.absolute(".");
  if (!here.has_filename()) here = here.parent_path();  // absolute() ends folders in a slash
  const fs::path root = repository_root(here);
  const std::map<Place, std::string> fingerprints = place_fingerprints(report.document);
  std::map<std::string, unsigned> alike;
  Json issues = Json::array();
  for (const Finding& finding : counted_places(report.document, report.baseline)) {
    const std::string path = path_below(root, report.sources.absolute(finding.location.file));
    const unsigned line = std::max(finding.location.line, 1u);
    std::string fingerprint = fingerprints.at(place_of(finding));
    if (fingerprint.empty()) fingerprint = finding.rule + ":" + path + ":" + std::to_string(line);
    // GitLab shows only one entry per fingerprint, so equal ones are numbered.
    if (const unsigned number = ++alike[fingerprint]; number > 1) fingerprint += "-" + std::to_string(number);
    Json issue;
    issue["description"] = finding.message + and_by_more_calls(finding.calls_left_out);
    issue["check_name"] = finding.rule;
    issue["fingerprint"] = fingerprint;
    issue["severity"] = gitlab_severity(finding.severity);
    issue["location"] = {{"path", path}, {"lines", {{"begin", line}}}};
    issues.push_back(std::move(issue));
  }
  return guard_json(issues.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace syncsniff::output
