#include "analyzer/output/hot_calls.h"
#include "analyzer/output/text.h"
#include "analyzer/output/writers.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {

std::string write_concise(const Report& report) {
  std::string lines;
  for (const Finding& finding : counted_places(report.document, report.baseline))
    lines += place(finding.location) + ": " + to_string(finding.severity) + ": " + printable(finding.message) +
             and_by_more_calls(finding.calls_left_out) + " [" + printable(finding.rule) + "]\n";
  return guard_lines(lines);
}

}  // namespace syncsniff::output
