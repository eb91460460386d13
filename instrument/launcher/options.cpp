#include "instrument/launcher/options.h"

#include <filesystem>
#include <set>
#include <system_error>

#include "instrument/launcher/option_words.h"
#include "instrument/launcher/report_targets.h"

namespace syncsniff::launcher {
namespace {

const char* const kFindingsHelp = "JSON of `syncsniff check --format=json` to join with the run; repeatable";
const char* const kRunStream = "standard error";
const char* const kReportStream = "standard output";

std::vector<FormatWord> formats() { return words_of(report::report_formats()); }

OptionTable table_of(RunOptions& options) {
  OptionTable table;
  table.text({"-o", "--output"}, "TRACE", "where to write the trace (default ./syncsniff-<name>-<pid>.sstrace)",
             options.output);
  table.list({"--findings"}, "FILE", kFindingsHelp, options.findings);
  add_windows(table, options.timeline, options.budget);
  add_step(table, options.reading.step);
  add_code_options(table, options.reading.border);
  add_limits(table, options.gates);
  add_format(table, options.reports, formats(), "report", kRunStream);
  add_report_file(table, options.reports);
  table.flag({"--full-command-line"},
             "record COMMAND's arguments unchanged; by default values that look like secrets become ***",
             options.full_command_line);
  table.flag({"--no-report"}, "print no report; `syncsniff report TRACE` prints it later", options.report, false);
  table.flag({"-q", "--quiet"}, "like --no-report, and print nothing but errors", options.quiet);
  add_help(table, options.help);
  return table;
}

OptionTable table_of(ReportOptions& options) {
  OptionTable table;
  table.list({"--findings"}, "FILE", kFindingsHelp, options.findings);
  add_step(table, options.reading.step);
  add_code_options(table, options.reading.border);
  add_limits(table, options.gates);
  add_format(table, options.reports, formats(), "report", kReportStream);
  add_help(table, options.help);
  return table;
}

OptionTable table_of(DumpOptions& options, bool undump) {
  OptionTable table;
  if (undump) table.text({"-o", "--output"}, "TRACE", "where to write the trace, to a new file", options.output);
  add_help(table, options.help);
  return table;
}

}  // namespace

manual::CommandPage run_page() {
  RunOptions scratch;
  return table_of(scratch).page(
      {"run",
       {"syncsniff run [options] [--] COMMAND [ARGUMENTS...]"},
       "Runs COMMAND, records where the host waits for the GPU, and reports it on standard error when it has ended. "
       "The exit status is COMMAND's own; 2 when nothing was recorded, unless COMMAND failed where a GPU is visible.",
       "",
       {}});
}

manual::CommandPage report_page() {
  ReportOptions scratch;
  return table_of(scratch).page(
      {"report",
       {"syncsniff report [options] TRACE..."},
       "Reports a recorded run on standard output; needs no GPU. Several traces are the processes of one job.",
       "",
       {}});
}

manual::CommandPage dump_page(bool undump) {
  DumpOptions scratch;
  const OptionTable table = table_of(scratch, undump);
  if (undump)
    return table.page({"undump",
                       {"syncsniff undump TEXT -o TRACE"},
                       "Makes a new trace of the text that `syncsniff dump` prints; - reads standard input.",
                       "",
                       {}});
  return table.page({"dump",
                     {"syncsniff dump TRACE"},
                     "Prints a trace as text, one record per line (docs/trace-format.md).",
                     "",
                     {}});
}

RunOptions parse_run(const std::vector<std::string>& words) {
  RunOptions options;
  options.command = table_of(options).parse(words, "run", true);
  options.names_trace = !options.report && !options.quiet;
  if (options.quiet) options.report = false;
  settle(options.reports, formats(), kRunStream);
  // Reports requested with a file name are written, and gates are checked, all the same.
  if (!options.report) std::erase_if(options.reports, [](const auto& report) { return report.file.empty(); });
  options.report = !options.reports.empty() || !options.gates.empty();
  if (options.command.empty() && !options.help)
    throw UsageError("run: no command given; write `syncsniff run ./train`");
  return options;
}

ReportOptions parse_report(const std::vector<std::string>& words) {
  ReportOptions options;
  const auto rest = table_of(options).parse(words, "report", false);
  if (options.help) return options;
  settle(options.reports, formats(), kReportStream);
  if (rest.empty()) throw UsageError("report: needs a trace; write `syncsniff report run.sstrace`");
  // In `report run.sstrace ./run.sstrace` both words are one file, which is reported once.
  std::set<std::filesystem::path> known;
  for (const std::string& trace : rest) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::weakly_canonical(trace, error);
    if (known.insert(error ? std::filesystem::path(trace) : file).second) options.traces.push_back(trace);
  }
  return options;
}

DumpOptions parse_dump(const std::vector<std::string>& words, bool undump) {
  const std::string name = undump ? "undump" : "dump";
  DumpOptions options;
  const auto rest = table_of(options, undump).parse(words, name, false);
  if (options.help) return options;
  if (rest.size() != 1) throw UsageError(name + ": needs one file; see `syncsniff " + name + " --help`");
  if (undump && options.output.empty()) throw UsageError("undump: needs -o TRACE");
  options.input = rest[0];
  return options;
}

}  // namespace syncsniff::launcher
