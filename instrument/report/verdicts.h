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
  std::string what;             // the driver's call, and how many more
  std::string call;             // the same as the user wrote it, as far as that is known
  std::vector<size_t> strands;  // of Analysis::strands
  timeline::Tally run, stepping;
  bool launching = false;  // measured by launches, not by waits
  double saves_ns = 0;     // predicted, of a step (of the run, without steps): its share of mending all lines
  double alone_ns = 0;     // the same with this line alone mended
  std::string fix;         // one sentence; empty: none known
  std::string why_not;     // not measured: the reason
};

struct Verdicts {
  std::vector<Line> lines;     // by predicted saving, then blocked time, greatest first; unmeasured last
  double joint_saving_ns = 0;  // predicted, of a step, with every confirmed and run-only line mended
  size_t silenced = 0;         // sites whose finding has an allow comment
  size_t minor = 0;            // run-time sites below the thresholds, not listed; start-up does not count
};

Verdicts judge(const reader::Trace& trace, const reader::Places& places, const timeline::Analysis& analysis,
               const StaticSide& side);

}  // namespace syncsniff::report
