#include "instrument/launcher/scale.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "instrument/launcher/options.h"
#include "instrument/launcher/preflight.h"
#include "instrument/launcher/report_files.h"
#include "instrument/launcher/run.h"
#include "instrument/launcher/status.h"
#include "instrument/launcher/traces.h"
#include "instrument/report/loaded_run.h"
#include "instrument/scale/scaling.h"
#include "rules/untrusted_text.h"

namespace syncsniff::launcher {
namespace {

std::string default_prefix(const std::string& command) {
  return "./syncsniff-scale-" + command.substr(command.rfind('/') + 1) + "-" + std::to_string(getpid());
}

std::string assignment(const ScaleOptions& options, const scale::SweepValue& value) {
  return options.sweep.name + "=" + value.text;
}

std::string trace_name(const ScaleOptions& options, const scale::SweepValue& value) {
  const std::string prefix = options.output.empty() ? default_prefix(options.command[0]) : options.output;
  return prefix + "-" + assignment(options, value) + ".sstrace";
}

RunOptions run_options(const ScaleOptions& options, const scale::SweepValue& value) {
  RunOptions run;
  run.output = trace_name(options, value);
  run.timeline = options.timeline;
  run.budget = options.budget;
  run.report = false;
  run.quiet = true;
  run.command = scale::with_value(options.command, options.sweep.name, value.text);
  return run;
}

// The figures of the process with the most records.
compare::RunFigures figures_of(const std::string& output, const ScaleOptions& options) {
  std::vector<std::string> traces = find_traces(output);
  sort_by_records(traces);
  if (traces.empty()) throw LaunchError(output + ": the trace is gone");
  return compare::figures_of_run(report::load_run(traces[0], {}, options.reading)->report);
}

// Checks everything that can be checked before the first run.
void check(const ScaleOptions& options) {
  for (const scale::SweepValue& value : options.sweep.values) {
    check_command(run_options(options, value).command[0]);
    check_output(trace_name(options, value));
  }
}

// Returns the status of the run that failed; 0: none did. The runs before it stay in `runs`.
int run_all(const ScaleOptions& options, std::vector<scale::Measured>& runs) {
  const std::vector<scale::SweepValue>& values = options.sweep.values;
  for (size_t i = 0; i < values.size(); ++i) {
    std::cerr << "syncsniff: run " << i + 1 << " of " << values.size() << ": "
              << printable(assignment(options, values[i])) << '\n';
    setenv(options.sweep.name.c_str(), values[i].text.c_str(), 1);
    const RunOptions one = run_options(options, values[i]);
    if (const int status = run(one); status != 0) {
      const size_t left = values.size() - i - 1;
      complain(assignment(options, values[i]) + ": ended with status " + std::to_string(status) +
               (left == 0 ? "" : "; " + std::to_string(left) + (left == 1 ? " run" : " runs") + " left undone"));
      return status;
    }
    runs.push_back({values[i], figures_of(one.output, options)});
  }
  return 0;
}

}  // namespace

int scale(const ScaleOptions& options) {
  check(options);
  const ReportFiles report_files(options.reports);
  std::vector<scale::Measured> runs;
  const int status = run_all(options, runs);
  // The largest value often runs out of memory: the results of the other values are still reported.
  if (runs.size() >= 2)
    write_reports(options.reports, report_files, scale::scaling_formats(),
                  scale::scaling_of(options.sweep.name, options.command, std::move(runs)), wants_colour(STDERR_FILENO),
                  std::cerr);
  return status;
}

}  // namespace syncsniff::launcher
