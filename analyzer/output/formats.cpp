#include "analyzer/output/formats.h"

#include "analyzer/output/github.h"
#include "analyzer/output/hot_calls.h"
#include "analyzer/output/sarif.h"
#include "analyzer/output/text.h"
#include "analyzer/output/writers.h"

namespace syncsniff::output {
namespace {

std::string text_report(const Report& report) {
  return write_text(report.document, report.baseline, report.sources, report.style);
}

std::string json_report(const Report& report) {
  return write_findings_json(keep_hottest_calls(report.document, report.baseline, kMostJsonCalls));
}

std::string sarif_report(const Report& report) {
  return write_sarif(report.document, report.rules, report.has_baseline ? &report.baseline : nullptr, report.sources);
}

std::string github_report(const Report& report) { return write_github(report.document, report.baseline); }

}  // namespace

const std::vector<ReportFormat>& report_formats() {
  static const std::vector<ReportFormat> kFormats{
      {"text", "source lines, paths and fixes, for people", text_report},
      {"concise", "one line per place, for editors and grep", write_concise},
      {"json", "all details, for --baseline, for syncsniff run --findings, and for scripts", json_report},
      {"sarif", "SARIF 2.1.0, for code scanning and editors", sarif_report},
      {"github", "annotations of GitHub Actions", github_report},
      {"gitlab", "GitLab's Code Quality report", write_gitlab},
      {"rdjson", "Reviewdog's Diagnostic Format", write_rdjson},
      {"junit", "JUnit XML, for test reports of CI services", write_junit},
  };
  return kFormats;
}

const ReportFormat* find_format(std::string_view name) {
  for (const ReportFormat& format : report_formats())
    if (format.name == name) return &format;
  return nullptr;
}

std::string format_names(std::string_view separator) {
  std::string names;
  for (const ReportFormat& format : report_formats()) (names += names.empty() ? "" : separator) += format.name;
  return names;
}

}  // namespace syncsniff::output
