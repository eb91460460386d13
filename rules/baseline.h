// Findings that an earlier run, or the state before a change, had already.
#pragma once

#include <map>
#include <string>

#include "rules/finding.h"

namespace syncsniff {

// Fingerprints of known findings, each with the highest severity that it had.
using Baseline = std::map<std::string, Severity>;

// The finding's own fingerprint, and those by which other calls of its place are recognised.
void add_to_baseline(const Finding& finding, Baseline& baseline);

// It was known, and was no less severe.
bool in_baseline(const Finding& finding, const Baseline& baseline);

}  // namespace syncsniff
