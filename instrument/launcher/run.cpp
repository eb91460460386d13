#include "instrument/launcher/run.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "instrument/launcher/child.h"
#include "instrument/launcher/environment.h"
#include "instrument/launcher/no_trace.h"
#include "instrument/launcher/output_file.h"
#include "instrument/launcher/preflight.h"
#include "instrument/launcher/preload_path.h"
#include "instrument/launcher/traces.h"
#include "instrument/reader/mark_exit.h"
#include "instrument/report/findings.h"
#include "rules/untrusted_text.h"

namespace syncsniff::launcher {
namespace {

constexpr int kCouldNotDoIt = 2;

bool wants_colour(int fd) { return isatty(fd) && std::getenv("NO_COLOR") == nullptr; }

void complain(const std::string& line) { std::cerr << "syncsniff: error: " << printable(line) << std::endl; }

void check_report_file(const RunOptions& options, const std::string& output) {
  if (options.report_file.empty()) return;
  if (std::filesystem::absolute(options.report_file).lexically_normal() == output)
    throw LaunchError(options.report_file + ": named for the trace and for the report; give another --report-file");
  check_new_file(options.report_file, "--report-file");
}

void write_report(const RunOptions& options, const std::vector<std::string>& traces, const report::StaticSide& side) {
  std::vector<std::string> notes{"trace: " + traces[0]};
  for (size_t i = 1; i < traces.size(); ++i)
    notes.push_back("another process left " + traces[i] + " (syncsniff report shows it)");
  if (options.report_file.empty())
    return report::report_trace(traces[0], side, options.format, wants_colour(STDERR_FILENO), true, notes, std::cerr);
  std::ostringstream text;
  report::report_trace(traces[0], side, options.format, false, true, notes, text);
  try {
    write_new_file(options.report_file, text.str(), "--report-file");
  } catch (const LaunchError& error) {
    throw LaunchError(std::string(error.what()) + ", or run `syncsniff report " + traces[0] + "`");
  }
}

}  // namespace

int run(const RunOptions& options) {
  const std::string program = check_command(options.command[0]);
  const std::string shim = shim_path();
  const report::StaticSide side = report::load_static_side(options.findings);
  const std::string output = options.output.empty() ? default_output(options.command[0]) : options.output;
  check_output(output);
  const std::string absolute = std::filesystem::absolute(output).lexically_normal().string();
  check_report_file(options, absolute);
  const auto older = find_traces(output);
  const PreloadPath preload(shim);
  const ChildEnd end = run_child(
      program, options.command, program_environment(current_environment(), preload.path(), absolute, options.timeline));
  std::cout.flush();
  const auto traces = find_traces(output, older);
  if (traces.empty()) {
    complain(no_trace_line(options.command[0], end, gpu_present()));
    return no_trace_status(end, gpu_present());
  }
  if (end.signal == 0)
    for (const std::string& trace : traces) reader::mark_exit(trace, end.pid);
  try {
    if (options.report) {
      write_report(options, traces, side);
    } else {
      report::embed_symbols(traces);
      if (!options.quiet)
        for (const std::string& trace : traces) std::cerr << "syncsniff: trace: " << printable(trace) << '\n';
    }
  } catch (const std::exception& error) {
    complain(error.what());
    // The program's status says more than ours, unless it is 0.
    return end.exit_status != 0 ? end.exit_status : kCouldNotDoIt;
  }
  return end.exit_status;
}

int report(const ReportOptions& options) {
  const report::StaticSide side = report::load_static_side(options.findings);
  report::report_trace(options.trace, side, options.format, wants_colour(STDOUT_FILENO), false, {}, std::cout);
  return 0;
}

}  // namespace syncsniff::launcher
