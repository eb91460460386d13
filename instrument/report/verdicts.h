// The join: each static finding against what the run recorded at its line, and the waits that only the run saw.
// How a verdict is reached is told in docs/how-the-numbers-are-made.md.
#pragma once

#include <string>
#include <vector>

#include "instrument/report/findings.h"
#include "instrument/timeline/analysis.h"

namespace syncsniff::report {

enum class Verdict { kConfirmed, kCheap, kNotExecuted, kNotMeasured, kRunOnly };
const char* to_string(Verdict verdict);

// One line of the report: a finding with its measurements, or a site that no finding names.
struct Line {
  const Finding* finding = nullptr;  // nullptr: seen only at run time
  std::vector<std::string> also;     // other rules whose findings name the same calls
  Verdict verdict = Verdict::kRunOnly;
  reader::Place place;
  std::string what;             // the api, or the apis' number
  std::vector<size_t> strands;  // of Analysis::strands
  timeline::Tally run, stepping;
  bool launching = false;  // measured by launches, not by waits
  std::string fix;         // one sentence; empty: none known
  std::string why_not;     // not measured: the reason
};

struct Verdicts {
  std::vector<Line> lines;  // by predicted saving, then blocked time, greatest first; unmeasured last
  size_t silenced = 0;      // sites whose finding has an allow comment
  size_t minor = 0;         // run-time sites below the thresholds, not listed
};

Verdicts judge(const reader::Trace& trace, const reader::Places& places, const timeline::Analysis& analysis,
               const StaticSide& side);

}  // namespace syncsniff::report
