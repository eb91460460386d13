#include "instrument/launcher/options.h"

#include "instrument/launcher/option_words.h"

namespace syncsniff::launcher {

const char* const kRunHelp =
    "usage: syncsniff run [options] [--] COMMAND [ARGUMENTS...]\n"
    "Runs COMMAND, records where the host waits for the GPU, and reports it on standard error when it has ended.\n"
    "The exit status is COMMAND's own; 2 when nothing was recorded, unless COMMAND failed where a GPU is visible.\n\n"
    "  -o, --output TRACE     where to write the trace (default ./syncsniff-<name>-<pid>.sstrace)\n"
    "  --findings FILE        JSON of `syncsniff check --output-format=json` to join with the run; repeatable\n"
    "  --timeline windows|full|off\n"
    "                         the GPU's side: of some windows of the run (default), of every kernel and copy "
    "(slower),\n"
    "                         or not at all\n"
    "  --budget PERCENT       what windows may slow COMMAND by (default 2%)\n"
    "  --step nvtx:NAME       a step is an NVTX range of that name, or goes from one call at that line to the next;\n"
    "  --step line:FILE:LINE  without it steps are found by what repeats\n"
    "  --user-code GLOB       whose file or object matches is your code, and lines of it are named: --user-code mylib\n"
    "  --library-code GLOB    ... is a library's: --library-code third_party. A GLOB matches the end of a path, or a\n"
    "                         folder in it; both repeatable, the later one wins\n"
    "  --fail-on 'FIGURE>LIMIT'\n"
    "                         exit with 3 when the run is beyond it (FIGURE<LIMIT: below it); repeatable. Figures:\n"
    "                         idle_pct, busy_pct, launching_pct, host_code_pct, idle_ms_per_step, sync_ms_per_step,\n"
    "                         step_ms, launches_per_step\n"
    "  --format terminal|json form of the report\n"
    "  --report-file FILE     write the report there, to a new file, instead of standard error\n"
    "  --full-command-line    keep COMMAND's arguments as they are; else values that look like secrets become ***\n"
    "  --no-report            record only; `syncsniff report TRACE` reports later\n"
    "  -q, --quiet            like --no-report, and print nothing but errors\n";

const char* const kReportHelp =
    "usage: syncsniff report [options] TRACE...\n"
    "Reports a recorded run on standard output; needs no GPU. Several traces are the processes of one job.\n\n"
    "  --findings FILE        JSON of `syncsniff check --output-format=json` to join with the run; repeatable\n"
    "  --step nvtx:NAME       a step is an NVTX range of that name, or goes from one call at that line to the next;\n"
    "  --step line:FILE:LINE  without it steps are found by what repeats\n"
    "  --user-code GLOB       whose file or object matches is your code, and lines of it are named: --user-code mylib\n"
    "  --library-code GLOB    ... is a library's: --library-code third_party. A GLOB matches the end of a path, or a\n"
    "                         folder in it; both repeatable, the later one wins\n"
    "  --fail-on 'FIGURE>LIMIT'\n"
    "                         exit with 3 when the run is beyond it (FIGURE<LIMIT: below it); repeatable. Figures:\n"
    "                         idle_pct, busy_pct, launching_pct, host_code_pct, idle_ms_per_step, sync_ms_per_step,\n"
    "                         step_ms, launches_per_step\n"
    "  --format terminal|json form of the report\n";

const char* const kDumpHelp =
    "usage: syncsniff dump TRACE\nPrints a trace as text, one record a line (docs/trace-format.md).\n";
const char* const kUndumpHelp =
    "usage: syncsniff undump TEXT -o TRACE\nMakes a new trace of the text that `syncsniff dump` prints; - reads "
    "standard input.\n";

RunOptions parse_run(const std::vector<std::string>& words) {
  RunOptions options;
  OptionTable table;
  auto output = [&](const std::string& value) { options.output = value; };
  table.valued = {{"-o", output},
                  {"--output", output},
                  {"--report-file", [&](const std::string& value) { options.report_file = value; }},
                  {"--fail-on", [&](const std::string& value) { options.gates.push_back(parse_limit(value)); }},
                  {"--findings", [&](const std::string& value) { options.findings.push_back(value); }},
                  {"--format", [&](const std::string& value) { options.format = parse_format(value); }},
                  {"--step", [&](const std::string& value) { options.reading.step = parse_step(value); }},
                  {"--budget", [&](const std::string& value) { options.budget = parse_percent("--budget", value); }},
                  {"--timeline", [&](const std::string& value) { options.timeline = parse_timeline(value); }}};
  add_code_options(table, options.reading.border);
  table.flags = {{"--full-command-line", [&] { options.full_command_line = true; }},
                 {"--no-report", [&] { options.report = false; }},
                 {"--quiet", [&] { options.quiet = true; }},
                 {"-q", [&] { options.quiet = true; }},
                 {"--help", [&] { options.help = true; }},
                 {"-h", [&] { options.help = true; }}};
  options.command = parse_words(words, table, "run", true);
  if (options.quiet) options.report = false;
  if (options.command.empty() && !options.help)
    throw UsageError("run: no command given; write `syncsniff run ./train`");
  return options;
}

ReportOptions parse_report(const std::vector<std::string>& words) {
  ReportOptions options;
  OptionTable table;
  table.valued = {{"--fail-on", [&](const std::string& value) { options.gates.push_back(parse_limit(value)); }},
                  {"--findings", [&](const std::string& value) { options.findings.push_back(value); }},
                  {"--step", [&](const std::string& value) { options.reading.step = parse_step(value); }},
                  {"--format", [&](const std::string& value) { options.format = parse_format(value); }}};
  add_code_options(table, options.reading.border);
  table.flags = {{"--help", [&] { options.help = true; }}, {"-h", [&] { options.help = true; }}};
  const auto rest = parse_words(words, table, "report", false);
  if (options.help) return options;
  if (rest.empty()) throw UsageError("report: needs a trace; write `syncsniff report run.sstrace`");
  options.traces = rest;
  return options;
}

DumpOptions parse_dump(const std::vector<std::string>& words, bool undump) {
  const std::string name = undump ? "undump" : "dump";
  DumpOptions options;
  OptionTable table;
  if (undump) {
    auto output = [&](const std::string& value) { options.output = value; };
    table.valued = {{"-o", output}, {"--output", output}};
  }
  table.flags = {{"--help", [&] { options.help = true; }}, {"-h", [&] { options.help = true; }}};
  const auto rest = parse_words(words, table, name, false);
  if (options.help) return options;
  if (rest.size() != 1) throw UsageError(name + ": needs one file; see `syncsniff " + name + " --help`");
  if (undump && options.output.empty()) throw UsageError("undump: needs -o TRACE");
  options.input = rest[0];
  return options;
}

}  // namespace syncsniff::launcher
