// `syncsniff scale --var NAME=V1,V2,... -- COMMAND`: one run for each value, and conclusions from all of them.
#pragma once

#include <string>
#include <vector>

#include "instrument/launcher/options.h"
#include "instrument/report/report.h"
#include "instrument/scale/sweep.h"
#include "manual/command_page.h"

namespace syncsniff::launcher {

struct ScaleOptions {
  scale::Sweep sweep;
  std::string output;  // beginning of the traces' names; empty: it is generated
  std::string timeline = "windows", budget = "2";
  report::Reading reading;
  std::vector<ReportTarget> reports;
  bool help = false;
  std::vector<std::string> command;
};

// Throws UsageError.
ScaleOptions parse_scale(const std::vector<std::string>& words);

// Returns the process's exit status: that of the first run that failed, otherwise 0. Throws std::runtime_error with a
// message of one line.
int scale(const ScaleOptions& options);

manual::CommandPage scale_page();

}  // namespace syncsniff::launcher
