// Joins each finding of `check` with what the run recorded at its line, and adds the waits that only the run has found.
// docs/how-the-numbers-are-made.md describes how a verdict is reached.
#pragma once

#include <string>
#include <vector>

#include "instrument/report/findings.h"
#include "instrument/timeline/analysis.h"

namespace syncsniff::report {

enum class Verdict { kConfirmed, kCheap, kNotExecuted, kNotMeasured, kRunOnly };
const char* to_string(Verdict verdict);

// One line of the report: a finding with its measurements, or a site without a finding.
struct Line {
  const Finding* finding = nullptr;  // nullptr: found only by the run
  std::vector<std::string> also;     // other rules that report the same calls
  Verdict verdict = Verdict::kRunOnly;
  reader::Place place;
  std::string what;             // the driver function, and how many other functions the line calls
  std::string call;             // the same call as the user wrote it, if known
  std::vector<size_t> strands;  // indices into Analysis::strands
  timeline::Tally run, stepping;
  bool launching = false;  // measured by launches, not by waits
  double saves_ns = 0;     // predicted, per step (without steps: per run): its share of the gain of fixing all lines
  double alone_ns = 0;     // the same if only this line is fixed
  std::string fix;         // one sentence; empty: none known
  std::string why_not;     // for a line that was not measured: the reason
};

struct Verdicts {
  std::vector<Line> lines;     // by predicted saving, then blocked time, greatest first; unmeasured lines last
  double joint_saving_ns = 0;  // predicted, per step, if every confirmed and run-only line is fixed
  size_t silenced = 0;         // sites whose finding has an allow comment
  size_t minor = 0;            // sites without a finding below the thresholds, not listed; without start-up
};

Verdicts judge(const reader::Trace& trace, const reader::Places& places, const timeline::Analysis& analysis,
               const StaticSide& side);

}  // namespace syncsniff::report
