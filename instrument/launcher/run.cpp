#include "instrument/launcher/run.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "instrument/launcher/child.h"
#include "instrument/launcher/environment.h"
#include "instrument/launcher/preflight.h"
#include "instrument/launcher/preload_path.h"
#include "instrument/launcher/traces.h"
#include "instrument/report/findings.h"

namespace syncsniff::launcher {
namespace {

constexpr int kCouldNotDoIt = 2;

bool wants_colour(int fd) { return isatty(fd) && std::getenv("NO_COLOR") == nullptr; }

void complain(const std::string& line) { std::cerr << "syncsniff: error: " << line << std::endl; }

// The program's status says more than ours, unless it is 0.
int failed(const ChildEnd& end, const std::string& line) {
  complain(line);
  return end.exit_status != 0 ? end.exit_status : kCouldNotDoIt;
}

std::string no_trace_line(const std::string& command) {
  if (gpu_present())
    return command +
           ": the program never initialised CUDA, so there is nothing to report; run a program that uses the GPU";
  return command +
         ": the program never initialised CUDA, and no NVIDIA GPU is visible here; run it on a machine with one";
}

void write_report(const RunOptions& options, const std::vector<std::string>& traces, const report::StaticSide& side) {
  std::vector<std::string> notes{"trace: " + traces[0]};
  for (size_t i = 1; i < traces.size(); ++i)
    notes.push_back("another process left " + traces[i] + " (syncsniff report shows it)");
  if (options.report_file.empty())
    return report::report_trace(traces[0], side, options.format, wants_colour(STDERR_FILENO), true, notes, std::cerr);
  std::ofstream file(options.report_file);
  report::report_trace(traces[0], side, options.format, false, true, notes, file);
  if (!file.flush())
    throw LaunchError(options.report_file + ": the report could not be written; run `syncsniff report " + traces[0] +
                      "`");
}

}  // namespace

int run(const RunOptions& options) {
  const std::string program = check_command(options.command[0]);
  const std::string shim = shim_path();
  const report::StaticSide side = report::load_static_side(options.findings);
  const std::string output = options.output.empty() ? default_output(options.command[0]) : options.output;
  check_output(output);
  const std::string absolute = std::filesystem::absolute(output).lexically_normal().string();
  const auto older = find_traces(output);
  const PreloadPath preload(shim);
  const ChildEnd end = run_child(
      program, options.command, program_environment(current_environment(), preload.path(), absolute, options.timeline));
  std::cout.flush();
  const auto traces = find_traces(output, older);
  if (traces.empty()) return failed(end, no_trace_line(options.command[0]));
  try {
    if (options.report) {
      write_report(options, traces, side);
    } else {
      report::embed_symbols(traces);
      if (!options.quiet)
        for (const std::string& trace : traces) std::cerr << "syncsniff: trace: " << trace << '\n';
    }
  } catch (const std::exception& error) {
    return failed(end, error.what());
  }
  return end.exit_status;
}

int report(const ReportOptions& options) {
  const report::StaticSide side = report::load_static_side(options.findings);
  report::report_trace(options.trace, side, options.format, wants_colour(STDOUT_FILENO), false, {}, std::cout);
  return 0;
}

}  // namespace syncsniff::launcher
