// Findings as GitHub Actions workflow commands. GitHub shows them at the lines of a pull request.
#pragma once

#include <string>

#include "analyzer/output/summary.h"
#include "rules/finding.h"

namespace syncsniff::output {

// One `::warning` (high, medium) or `::notice` (low, info) per finding; units that could not be read are `::error` or
// `::warning`. Allowed findings and those in the baseline are left out.
std::string write_github(const FindingsDocument& document, const Baseline& baseline);

}  // namespace syncsniff::output
