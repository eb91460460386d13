// Parses the command line of `check` and `fix` into plain data. docs/check.md describes the same options.
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
  // The given ones of those options that a configuration file may set, too ("--level", ...).
  std::set<std::string> given;
  std::string config_file;  // empty: search for it
  bool no_config = false;
  bool quiet = false;
  bool no_cache = false;          // parse every unit again
  bool accept_partial = false;    // units that had errors but could be read do not make the run fail
  bool require_complete = false;  // units that were not read completely make the run fail
  std::optional<Severity> fail_level = Severity::kLow;  // nullopt: no finding fails the run
  Severity min_severity = Severity::kInfo;              // less severe findings are left out
  std::vector<ReportTarget> reports;                    // check: at least one
  // check
  bool staged = false;   // only what the changes in git's index affect
  std::string since;     // only what changes since this revision affect; empty: --diff was not given
  std::string baseline;  // empty: none
  bool fix = false;      // make the safe edits after the report
  bool report_unused_allows = false;
  bool fail_unused_allows = false;
  bool show_allowed = false;
  bool dump_config = false;
  bool dump_facts = false;
  ColourChoice colour = ColourChoice::kAuto;
  // fix
  bool dry_run = false;
  std::string export_fixes;  // write the edits to this file, as Clang's YAML, instead of making them; empty: make them
};

struct ParsedOptions {
  Options options;
  std::optional<int> exit_code;  // set if there is nothing to run: help, version, wrong usage
  std::string out, err;          // what to print in that case
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace syncsniff::output
