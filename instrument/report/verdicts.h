// Joins each finding of `check` with what the run recorded at its line, and adds the waits that only the run saw.
// docs/how-the-numbers-are-made.md says how a verdict is reached.
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
  std::string what;             // the driver function, and how many others there are at the line
  std::string call;             // the same call as the user wrote it, as far as known
  std::vector<size_t> strands;  // of Analysis::strands
  timeline::Tally run, stepping;
  bool launching = false;  // measured by launches, not by waits
  double saves_ns = 0;     // predicted, per step (per run, without steps): its share of the gain of fixing all lines
  double alone_ns = 0;     // the same if only this line is fixed
  std::string fix;         // one sentence; empty: none known
  std::string why_not;     // not measured: the reason
};

struct Verdicts {
  std::vector<Line> lines;     // by predicted saving, then blocked time, greatest first; unmeasured last
  double joint_saving_ns = 0;  // predicted, per step, if every confirmed and run-only line is fixed
  size_t silenced = 0;         // sites whose finding has an allow comment
  size_t minor = 0;            // run-time sites below the thresholds, not listed; start-up does not count
};

Verdicts judge(const reader::Trace& trace, const reader::Places& places, const timeline::Analysis& analysis,
               const StaticSide& side);

}  // namespace syncsniff::report
