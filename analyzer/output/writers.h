// Writers of the formats that have one entry for each place, a rule and a line. The entry's message counts the further
// hot calls of the place. Allowed findings and those in the baseline are left out.
#pragma once

#include <string>

#include "analyzer/output/report.h"

namespace syncsniff::output {

// "file:line:col: severity: message [rule]"
std::string write_concise(const Report& report);

// GitLab's Code Quality report. Paths are relative to the root of the git repository around the working directory, or
// to the working directory where there is no repository.
std::string write_gitlab(const Report& report);

// Reviewdog's Diagnostic Format, the `rdjson` form: one object. Units that were not read whole are diagnostics, too.
std::string write_rdjson(const Report& report);

// JUnit XML as CI services read it: a suite for each file, a failure for each finding, an error for each unit that
// could not be read, a passed case for each unit that was read whole and holds no finding.
std::string write_junit(const Report& report);

}  // namespace syncsniff::output
