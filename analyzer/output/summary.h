// What a run comes to: how many findings count, how much was read, and the exit code that follows.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>

#include "rules/baseline.h"
#include "rules/finding.h"

namespace syncsniff::output {

struct Tally {
  // Places, each a rule and a line, with a hot call that counts: it is neither allowed nor in the baseline.
  unsigned findings = 0;
  unsigned hot_calls = 0;                          // that count, of all places
  std::array<unsigned, 4> by_severity{};           // places, by the most severe of their calls that count
  unsigned files = 0;                              // that hold them
  unsigned failing = 0;                            // of those, at or above the fail level
  unsigned allowed = 0, in_baseline = 0;           // places with such a call
  unsigned analysed = 0, partial = 0, failed = 0;  // units
  unsigned rules_left_out = 0;
  bool no_database = false;  // the units were read with default options
};

// `fail_level`: nullopt when no finding makes the run fail.
Tally count(const FindingsDocument& document, const Baseline& baseline, std::optional<Severity> fail_level);

// "3 findings (7 hot calls) in 2 files (2 high, 1 low); 28 units analysed, 1 failed"
std::string summary_line(const Tally& tally);

// No unit could be read: there is no result, and silence must not look like one.
bool nothing_analysed(const Tally& tally);

// Tells on `err` why there is no result to rely on; false when there is one. Units that were read in part are no result
// where none was read whole and nothing was found, unless `accept_partial`; without a compile database never.
bool report_nothing_analysed(const Tally& tally, bool accept_partial, std::ostream& err);

// 0 clean, 1 findings at or above the fail level.
int exit_code(const Tally& tally);

// "1 file", "2 files"
std::string plural(unsigned count, const std::string& noun);

}  // namespace syncsniff::output
