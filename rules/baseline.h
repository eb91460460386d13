// The findings of an earlier run, or of the state before a change, which need not be reported again.
#pragma once

#include <map>
#include <string>

#include "rules/finding.h"

namespace syncsniff {

// Fingerprints of known findings, each with the highest severity that it had.
using Baseline = std::map<std::string, Severity>;

// Adds the finding's own fingerprint, and those by which findings for other calls of its place are recognised.
void add_to_baseline(const Finding& finding, Baseline& baseline);

// Whether the baseline has the finding with at least the same severity.
bool in_baseline(const Finding& finding, const Baseline& baseline);

}  // namespace syncsniff
