// `syncsniff diff A B`: two recordings of one program, before and after a change.
#pragma once

#include <string>
#include <vector>

#include "instrument/launcher/options.h"
#include "instrument/report/gates.h"
#include "instrument/report/report.h"
#include "manual/command_page.h"

namespace syncsniff::launcher {

struct DiffOptions {
  std::vector<std::string> a, b;  // traces; if several, they are recordings of the same version
  timeline::StepChoice a_step, b_step;
  reader::CodeBorder border;
  std::vector<std::string> a_findings, b_findings;
  std::vector<report::Gate> gates;  // --fail-on
  std::vector<ReportTarget> reports;
  bool totals_only = false, help = false;
};

// Throws UsageError.
DiffOptions parse_diff(const std::vector<std::string>& words);

// Returns the process's exit status. Throws std::runtime_error with a message of one line.
int diff(const DiffOptions& options);

manual::CommandPage diff_page();

}  // namespace syncsniff::launcher
