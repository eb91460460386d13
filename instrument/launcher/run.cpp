#include "instrument/launcher/run.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "instrument/launcher/child.h"
#include "instrument/launcher/collect.h"
#include "instrument/launcher/environment.h"
#include "instrument/launcher/interrupt_notice.h"
#include "instrument/launcher/no_trace.h"
#include "instrument/launcher/preflight.h"
#include "instrument/launcher/preload_path.h"
#include "instrument/launcher/report_files.h"
#include "instrument/launcher/status.h"
#include "instrument/launcher/trace_folder.h"
#include "instrument/launcher/traces.h"
#include "instrument/report/findings.h"
#include "instrument/report/job.h"
#include "instrument/report/report_command.h"
#include "instrument/sampler/sampler.h"
#include "rules/untrusted_text.h"

namespace syncsniff::launcher {
namespace {

void tell(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "syncsniff: note: " << printable(note) << '\n';
}

// If a trace cannot be extended, it stays readable as it was.
void add_samples(sampler::Sampler& sampler, const Collected& collected) {
  for (const std::string& trace : collected.traces) {
    try {
      sampler.append_to(trace);
    } catch (const std::exception&) {  // the report says what is wrong with the trace
    }
  }
  if (std::getenv("SYNCSNIFF_TEST_SAMPLER") == nullptr) return;
  const sampler::SamplerCost& cost = sampler.cost();
  std::cerr << "sampler: samples " << cost.samples << " rounds " << cost.rounds << " processor_us "
            << cost.processor_ns / 1000 << " open_us " << cost.open_ns / 1000 << '\n';
}

// Writes the report and returns the gates that failed.
std::vector<std::string> write_report(const RunOptions& options, const ReportFiles& files, const Collected& collected,
                                      const report::StaticSide& side) {
  const std::vector<std::string>& traces = collected.traces;
  std::vector<std::string> notes{"trace: " + traces[0]};
  if (traces.size() > 1)
    notes.push_back(report::report_command(traces, options.findings, options.reading) + " shows this report again");
  notes.insert(notes.end(), collected.notes.begin(), collected.notes.end());
  report::Job job;
  try {
    job = report::read_job(traces, side, options.reading, true, notes);
  } catch (const timeline::StepChoiceError& error) {
    throw LaunchError(std::string(error.what()) + "; the trace is kept: syncsniff report --step=... " +
                      report::shell_word(traces[0]));
  }
  try {
    write_reports(options.reports, files, report::report_formats(), job, wants_colour(STDERR_FILENO), std::cerr);
  } catch (const LaunchError& error) {
    throw LaunchError(std::string(error.what()) + ", or run " +
                      report::report_command(traces, options.findings, options.reading));
  }
  return report::failed_gates(job, options.gates);
}

// Returns the exit status. `lost_from`: the folder from which the traces were removed; empty: they were not.
int report_no_trace(const std::string& command, const Collected& collected, const ChildEnd& end,
                    const std::string& lost_from) {
  tell(collected.notes);
  if (collected.some_still_run) return end.exit_status;
  if (!lost_from.empty()) {
    complain(removed_trace_line(command, end, lost_from));
    return no_trace_status(end, true);
  }
  complain(no_trace_line(command, end, gpu_present()));
  return no_trace_status(end, gpu_present());
}

}  // namespace

int run(const RunOptions& options) {
  const std::string program = check_command(options.command[0]);
  const std::string shim = shim_path();
  const report::StaticSide side = report::load_static_side(options.findings);
  const std::string output = options.output.empty() ? default_output(options.command[0]) : options.output;
  check_output(output);
  const std::string absolute = std::filesystem::absolute(output).lexically_normal().string();
  const ReportFiles report_files(options.reports, absolute);
  const auto older = find_traces(output);
  const PreloadPath preload(shim);
  const TraceFolder folder(output);
  const Recording recording{
      preload.path(),   absolute,       std::filesystem::absolute(folder.path()).lexically_normal(),
      options.timeline, options.budget, options.full_command_line};
  // Installed before the program starts, so that it is in place as soon as the program has ended.
  InterruptNotice interrupted;
  interrupted.say("interrupted: the recorded traces are in " + folder.path() + "/, or is at " + output +
                  " already; `syncsniff report` shows a trace");
  // A warning for a person, who can stop the program now; a log contains the error at the end anyway.
  if (isatty(STDERR_FILENO) && !gpu_present() && !driver_present())
    std::cerr << "syncsniff: warning: no GPU and no NVIDIA driver are visible here, so nothing will be recorded; "
                 "`syncsniff doctor run` names what is missing\n";
  sampler::Sampler sampler(recording.folder);
  const ChildEnd end = run_child(program, options.command, program_environment(current_environment(), recording), [&] {
    if (options.timeline != "off") sampler.start();
  });
  sampler.stop();
  std::cout.flush();
  const std::string lost_from = folder.has_lost_its_traces() ? folder.path() : "";
  const Collected collected = collect_traces(folder.path(), output, older, end);
  add_samples(sampler, collected);
  folder.remove_if_empty();  // a second Ctrl-C may end the launcher while the report is made
  if (!collected.traces.empty())
    interrupted.say("interrupted: the trace is " + collected.traces[0] + "; " +
                    report::report_command(collected.traces, options.findings, options.reading) + " shows it");
  if (collected.traces.empty()) return report_no_trace(options.command[0], collected, end, lost_from);
  if (const std::string line = signal_line(options.command[0], end); !line.empty())
    std::cerr << "syncsniff: note: " << printable(line) << '\n';
  try {
    if (options.names_trace)
      for (const std::string& trace : collected.traces) std::cerr << "syncsniff: trace: " << printable(trace) << '\n';
    if (options.report) {
      if (is_refused(write_report(options, report_files, collected, side)) && end.exit_status == 0) return kGateFailed;
    } else {
      report::embed_symbols(collected.traces, options.reading.border);
      tell(collected.notes);
    }
  } catch (const std::exception& error) {
    complain(error.what());
    // The program's own failure status takes precedence over that of the gates.
    return end.exit_status != 0 ? end.exit_status : kCouldNotDoIt;
  }
  return end.exit_status;
}

int report(const ReportOptions& options) {
  const report::StaticSide side = report::load_static_side(options.findings);
  const ReportFiles report_files(options.reports);
  std::vector<std::string> notes;
  if (options.traces.size() == 1) {
    const std::vector<std::string> all = find_traces(options.traces.front());
    if (all.size() > 1)
      notes.push_back("there are more traces of this name; if they are of one run, " +
                      report::report_command(all, options.findings, options.reading) +
                      " reports on all of its processes");
  }
  const report::Job job = report::read_job(options.traces, side, options.reading, false, notes);
  write_reports(options.reports, report_files, report::report_formats(), job, wants_colour(STDOUT_FILENO), std::cout);
  std::cout.flush();
  return is_refused(report::failed_gates(job, options.gates)) ? kGateFailed : 0;
}

}  // namespace syncsniff::launcher
