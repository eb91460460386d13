// The report formats of `check`, one entry each. Option help, completions, error messages and the table in
// docs/check.md come from these entries. CONTRIBUTING.md says how to add one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/output/report.h"

namespace syncsniff::output {

struct ReportFormat {
  std::string_view name;
  std::string_view help;  // one line: for which readers it is
  std::string (*write)(const Report& report);
};

const std::vector<ReportFormat>& report_formats();  // in the order in which help lists them

// nullptr if there is no such format.
const ReportFormat* find_format(std::string_view name);

// "text, concise, ..."
std::string format_names(std::string_view separator);

}  // namespace syncsniff::output
