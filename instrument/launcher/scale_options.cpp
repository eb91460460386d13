#include "instrument/launcher/option_words.h"
#include "instrument/launcher/scale.h"

namespace syncsniff::launcher {

const char* const kScaleHelp =
    "usage: syncsniff scale --var NAME=V1,V2,... [options] [--] COMMAND [ARGUMENTS...]\n"
    "Runs COMMAND once for each value, each time under `syncsniff run`, and tells from step time, GPU busy share and "
    "GPU\n"
    "work whether a step is overhead-bound (more work takes no longer), GPU-bound, or between, and where it turns. "
    "The\n"
    "value is in the environment as NAME, and {NAME} in COMMAND's arguments is replaced by it. The work of a step "
    "should\n"
    "grow in proportion to it: a batch size, a number of samples. The program runs several times: have it train "
    "briefly\n"
    "(some seconds), and save nothing. The table goes to standard error when all runs have ended; the first run that\n"
    "fails ends the series, and the exit status is its own.\n\n"
    "  --var NAME=V1,V2,...   two to 32 different numbers above 0; run in ascending order\n"
    "  -o, --output PREFIX    traces are PREFIX-NAME=VALUE.sstrace (default ./syncsniff-scale-<name>-<pid>)\n"
    "  --timeline windows|full|off, --budget PERCENT, --step ..., --user-code GLOB, --library-code GLOB\n"
    "                         as of `syncsniff run`\n"
    "  --format terminal|json form of the table\n"
    "  --report-file FILE     write the table there, to a new file, instead of standard error\n";

ScaleOptions parse_scale(const std::vector<std::string>& words) {
  ScaleOptions options;
  OptionTable table;
  auto output = [&](const std::string& value) { options.output = value; };
  table.valued = {{"-o", output},
                  {"--output", output},
                  {"--var",
                   [&](const std::string& value) {
                     try {
                       options.sweep = scale::parse_sweep(value);
                     } catch (const scale::SweepError& error) {
                       throw UsageError(error.what());
                     }
                   }},
                  {"--report-file", [&](const std::string& value) { options.report_file = value; }},
                  {"--format", [&](const std::string& value) { options.format = parse_format(value); }},
                  {"--step", [&](const std::string& value) { options.reading.step = parse_step(value); }},
                  {"--budget", [&](const std::string& value) { options.budget = parse_percent("--budget", value); }},
                  {"--timeline", [&](const std::string& value) { options.timeline = parse_timeline(value); }}};
  add_code_options(table, options.reading.border);
  table.flags = {{"--help", [&] { options.help = true; }}, {"-h", [&] { options.help = true; }}};
  options.command = parse_words(words, table, "scale", true);
  if (options.help) return options;
  const char* const example = "write `syncsniff scale --var BATCH=32,64,128 -- ./train --batch {BATCH}`";
  if (options.sweep.values.empty()) throw UsageError(std::string("scale: --var is missing; ") + example);
  if (options.command.empty()) throw UsageError(std::string("scale: no command given; ") + example);
  return options;
}

}  // namespace syncsniff::launcher
