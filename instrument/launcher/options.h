// Command lines of `run`, `report`, `dump` and `undump`. Parsing only; touches no file.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "instrument/report/gates.h"
#include "instrument/report/report.h"
#include "manual/command_page.h"
#include "rules/report_target.h"

namespace syncsniff::launcher {

// what(): the text after "syncsniff: error: ", one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  std::string output;  // empty: a name is generated
  std::vector<std::string> findings;
  std::string timeline = "windows";  // windows | full | off
  std::string budget = "2";          // percent of the program's time that windows may cost
  report::Reading reading;
  std::vector<report::Gate> gates;  // --fail-on
  std::vector<ReportTarget> reports;
  bool report = true, quiet = false, help = false;
  bool names_trace = false;        // print where the trace is, since no report says so
  bool full_command_line = false;  // do not mask arguments that look like secrets
  std::vector<std::string> command;
};

struct ReportOptions {
  std::vector<std::string> traces;
  std::vector<std::string> findings;
  report::Reading reading;
  std::vector<report::Gate> gates;  // --fail-on
  std::vector<ReportTarget> reports;
  bool help = false;
};

struct DumpOptions {
  std::string input, output;  // output: only for undump
  bool help = false;
};

// Options end at `--` or at the first word that is not an option. All throw UsageError.
RunOptions parse_run(const std::vector<std::string>& words);
ReportOptions parse_report(const std::vector<std::string>& words);
DumpOptions parse_dump(const std::vector<std::string>& words, bool undump);

// The text of --help, from which the man page is made, too.
manual::CommandPage run_page();
manual::CommandPage report_page();
manual::CommandPage dump_page(bool undump);

}  // namespace syncsniff::launcher
