// Findings of one place differ in the hot call that they are told for. A reader is told the place and a few of the
// calls; only JSON and SARIF list the calls, up to a bound.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/output/summary.h"
#include "rules/finding.h"

namespace syncsniff::output {

// Findings of one place that a report has at most.
constexpr size_t kMostJsonCalls = 64;
constexpr size_t kMostSarifCalls = 16;
constexpr size_t kMostSarifResults = 25000;  // of a report: GitHub refuses a run with more

// A rule and a line.
using Place = std::tuple<std::string, std::string, unsigned>;
Place place_of(const Finding& finding);

// At most `most` findings of one place, allowed ones apart: first those that are not in the baseline, then the hottest.
// The last one kept of a place counts the findings left out (`calls_left_out`) and holds their fingerprints, so that
// the document is still a baseline for them.
FindingsDocument keep_hottest_calls(FindingsDocument document, const Baseline& baseline, size_t most);

// What the formats with one entry for each place write: the hottest call of each place that has one which is neither
// allowed nor in the baseline. `calls_left_out` counts the others.
std::vector<Finding> counted_places(const FindingsDocument& document, const Baseline& baseline);

// " (and by 3 more calls)"; nothing for 0.
std::string and_by_more_calls(size_t calls);

}  // namespace syncsniff::output
