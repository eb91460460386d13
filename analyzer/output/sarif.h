// Findings as SARIF 2.1.0, for code scanning services and editors. Contains every finding: allowed ones as suppressed
// results, those in the baseline as unchanged.
#pragma once

#include <map>
#include <string>

#include "analyzer/output/source_text.h"
#include "analyzer/output/summary.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::output {

// `baseline`: nullptr if the run has none; then results do not say whether they are new. Bytes that are not UTF-8
// become U+FFFD.
std::string write_sarif(const FindingsDocument& document, const std::map<std::string, Rule>& rules,
                        const Baseline* baseline, SourceCache& sources);

}  // namespace syncsniff::output
