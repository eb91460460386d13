// Writers of the formats that have one entry per place (a rule and a line). The entry's message counts the further hot
// calls of the place. Allowed findings and those in the baseline are left out.
#pragma once

#include <string>

#include "analyzer/output/report.h"

namespace syncsniff::output {

// "file:line:col: severity: message [rule]"
std::string write_concise(const Report& report);

// GitLab's Code Quality report. Paths are relative to the root of the git repository around the working directory;
// without one, to the working directory.
std::string write_gitlab(const Report& report);

// Reviewdog's Diagnostic Format in its `rdjson` form, which is one object. Units that were not read completely are
// diagnostics, too.
std::string write_rdjson(const Report& report);

// JUnit XML as CI services read it: a suite per file, a failure per finding, an error per unit that could not be read,
// and a passed case per unit that was read completely and has no finding.
std::string write_junit(const Report& report);

}  // namespace syncsniff::output
