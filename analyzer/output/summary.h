// The result of a run: how many findings count, how much was read, and the exit code that follows from both.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <string>

#include "rules/baseline.h"
#include "rules/finding.h"

namespace syncsniff::output {

struct Tally {
  // Places (a rule and a line) with a hot call that counts, that is, one neither allowed nor in the baseline.
  unsigned findings = 0;
  unsigned hot_calls = 0;                          // hot calls that count, of all places
  std::array<unsigned, 4> by_severity{};           // places, by the most severe of their hot calls that count
  unsigned files = 0;                              // number of files with such places
  unsigned failing = 0;                            // places at or above the fail level
  unsigned allowed = 0, in_baseline = 0;           // places with an allowed hot call, and with one in the baseline
  unsigned analysed = 0, partial = 0, failed = 0;  // units
  unsigned rules_left_out = 0;
  bool no_database = false;  // the units were read with default options
};

// `fail_level`: nullopt if no finding makes the run fail.
Tally count(const FindingsDocument& document, const Baseline& baseline, std::optional<Severity> fail_level);

// "3 findings (7 hot calls) in 2 files (2 high, 1 low); 28 units analysed, 1 failed"
std::string summary_line(const Tally& tally);

// Whether no unit could be read. There is no result then, and the run must not look clean.
bool nothing_analysed(const Tally& tally);

// If there is no result to rely on, prints the reason to `err` and returns true. Units that were only partly read are
// no result if none was read completely and nothing was found, unless `accept_partial`; without a compile database they
// never are.
bool report_nothing_analysed(const Tally& tally, bool accept_partial, std::ostream& err);

// 0 clean, 1 findings at or above the fail level.
int exit_code(const Tally& tally);

// "1 file", "2 files"
std::string plural(unsigned count, const std::string& noun);

}  // namespace syncsniff::output
