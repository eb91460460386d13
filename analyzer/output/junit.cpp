// JUnit's XML has no standard. The output conforms to the schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab
// and others read, too.
#include <map>

#include "analyzer/output/hot_calls.h"
#include "analyzer/output/text.h"
#include "analyzer/output/writers.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

// Escapes for XML 1.0, which allows no control characters, and neither U+FFFE nor U+FFFF, not even as references.
std::string xml(const std::string& text) {
  std::string result;
  const std::string shown = printable_lines(text);
  for (size_t at = 0; at < shown.size(); ++at) {
    const char c = shown[at];
    const bool no_character = shown.compare(at, 2, "\xef\xbf") == 0 && at + 2 < shown.size() &&
                              (shown[at + 2] == '\xbe' || shown[at + 2] == '\xbf');
    if (no_character)
      result += "\xef\xbf\xbd", at += 2;
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";  // so that `]]>` cannot occur
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml(printable(value)) + "\"";
}

struct Suite {
  std::string cases;
  unsigned tests = 0, failures = 0, errors = 0, skipped = 0;

  // `outcome`: the elements inside the case; empty: it passed.
  void add(const std::string& file, const std::string& name, const std::string& outcome) {
    cases += "    <testcase" + attribute("name", name) + attribute("classname", file) + " time=\"0\"" +
             (outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n");
    ++tests;
  }
};

std::string line_of(const PathStep& step) { return place(step.location) + ": " + step.message + "\n"; }

std::string failure(const Finding& finding) {
  const std::string message = finding.message + and_by_more_calls(finding.calls_left_out);
  std::string body = line_of({finding.location, message});
  for (const auto* steps : {&finding.path, &finding.evidence})
    for (const PathStep& step : *steps) body += line_of(step);
  if (!finding.fix.description.empty()) body += "fix: " + finding.fix.description + "\n";
  return "      <failure" + attribute("type", to_string(finding.severity)) + attribute("message", message) + ">" +
         xml(body) + "</failure>\n";
}

void add_unit(const UnitStatus& unit, std::map<std::string, Suite>& suites) {
  Suite& suite = suites[unit.file];
  if (unit.status == "analysed") {
    // Jenkins treats a report without a case as broken.
    if (suite.tests == 0) suite.add(unit.file, "no findings", "");
    return;
  }
  const bool partial = unit.status == "partial";
  ++(partial ? suite.skipped : suite.errors);
  suite.add(unit.file, partial ? "only partly analysed" : "not analysed",
            std::string("      <") + (partial ? "skipped" : "error") + attribute("type", unit.status) +
                attribute("message", unit.why) + "/>\n");
}

std::string counts(const Suite& suite) {
  return " tests=\"" + std::to_string(suite.tests) + "\" failures=\"" + std::to_string(suite.failures) +
         "\" errors=\"" + std::to_string(suite.errors) + "\"";
}

}  // namespace

std::string write_junit(const Report& report) {
  std::map<std::string, Suite> suites;
  for (const Finding& finding : counted_places(report.document, report.baseline)) {
    Suite& suite = suites[finding.location.file];
    ++suite.failures;
    suite.add(finding.location.file, finding.rule + " in line " + std::to_string(finding.location.line),
              failure(finding));
  }
  for (const UnitStatus& unit : report.document.units) add_unit(unit, suites);
  Suite all;
  std::string body;
  for (const auto& [file, suite] : suites) {
    all.tests += suite.tests, all.failures += suite.failures, all.errors += suite.errors;
    body += "  <testsuite" + attribute("name", file) + counts(suite) + " skipped=\"" + std::to_string(suite.skipped) +
            "\" time=\"0\">\n" + suite.cases + "  </testsuite>\n";
  }
  return guard_lines("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"syncsniff\"" + counts(all) +
                     " time=\"0\">\n" + body + "</testsuites>\n");
}

}  // namespace syncsniff::output
