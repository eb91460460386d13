// The command line of `check` and `fix`, read into plain data.
// Knows what may be asked; docs/check.md says the same in words.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/output/report_targets.h"
#include "rules/finding.h"

namespace syncsniff::output {

enum class Command { kCheck, kFix };
enum class ColourChoice { kAuto, kAlways, kNever };

struct Options {
  Command command = Command::kCheck;
  AnalysisOptions analysis;
  std::set<std::string> given;  // "--level", ...: of those that a configuration file may say, too
  std::string config_file;      // empty: the one that is found
  bool no_config = false;
  bool quiet = false;
  bool no_cache = false;                                // parse every unit anew
  bool accept_partial = false;                          // units that were read with errors only are no failure
  bool require_complete = false;                        // units that were not read completely are a failure
  std::optional<Severity> fail_level = Severity::kLow;  // nullopt: no finding fails the run
  Severity min_severity = Severity::kInfo;              // less severe findings are left out
  std::vector<ReportTarget> reports;                    // check: at least one
  // check
  bool staged = false;   // what a commit of git's index changes
  std::string since;     // what changed since this revision; empty: --diff was not given
  std::string baseline;  // empty: none
  bool fix = false;      // make the safe edits, once the findings are reported
  bool report_unused_allows = false;
  bool fail_unused_allows = false;
  bool show_allowed = false;
  bool dump_config = false;
  bool dump_facts = false;
  ColourChoice colour = ColourChoice::kAuto;
  // fix
  bool dry_run = false;
  std::string export_fixes;  // the file that edits are written to, as Clang's YAML, instead of being made; empty: none
};

struct ParsedOptions {
  Options options;
  std::optional<int> exit_code;  // set when there is nothing to run: help, version, bad usage
  std::string out, err;          // what to print then
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace syncsniff::output
