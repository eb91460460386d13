// A place has one finding per hot call. Reports show the place and a few of these calls; only JSON and SARIF list them,
// up to a limit.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/output/summary.h"
#include "rules/finding.h"

namespace syncsniff::output {

// The most findings of one place in a report.
constexpr size_t kMostJsonCalls = 64;
constexpr size_t kMostSarifCalls = 16;
constexpr size_t kMostSarifResults = 25000;  // in one report: GitHub rejects a run with more

// A rule and a line.
using Place = std::tuple<std::string, std::string, unsigned>;
Place place_of(const Finding& finding);

// Keeps at most `most` findings of each place, allowed ones counted separately: first those that are not in the
// baseline, then the hottest. The last one kept of a place has the number of omitted findings (`calls_left_out`) and
// their fingerprints, so that the document can still be used as a baseline for them.
FindingsDocument keep_hottest_calls(FindingsDocument document, const Baseline& baseline, size_t most);

// One finding per place, for the formats with one entry per place: that of the hottest call that is neither allowed nor
// in the baseline. Places without such a call are left out. `calls_left_out` counts the place's other calls.
std::vector<Finding> counted_places(const FindingsDocument& document, const Baseline& baseline);

// " (and by 3 more calls)"; nothing for 0.
std::string and_by_more_calls(size_t calls);

}  // namespace syncsniff::output
