#include "instrument/launcher/option_words.h"
#include "instrument/launcher/report_targets.h"
#include "instrument/launcher/scale.h"
#include "instrument/scale/scaling.h"

namespace syncsniff::launcher {
namespace {

constexpr const char* kScaleStream = "standard error";

OptionTable table_of(ScaleOptions& options) {
  OptionTable table;
  table.value({"--var"}, "NAME=V1,V2,...", "two to 32 different numbers above 0; run in ascending order",
              [&options](const std::string& value) {
                try {
                  options.sweep = scale::parse_sweep(value);
                } catch (const scale::SweepError& error) {
                  throw UsageError(error.what());
                }
              });
  table.text({"-o", "--output"}, "PREFIX",
             "traces are PREFIX-NAME=VALUE.sstrace (default ./syncsniff-scale-<name>-<pid>)", options.output);
  add_windows(table, options.timeline, options.budget);
  add_step(table, options.reading.step);
  add_code_options(table, options.reading.border);
  add_format(table, options.reports, words_of(scale::scaling_formats()), "table", kScaleStream);
  add_report_file(table, options.reports);
  add_help(table, options.help);
  return table;
}

}  // namespace

manual::CommandPage scale_page() {
  ScaleOptions scratch;
  return table_of(scratch).page(
      {"scale",
       {"syncsniff scale --var NAME=V1,V2,... [options] [--] COMMAND [ARGUMENTS...]"},
       "Runs COMMAND once for each value, each time under `syncsniff run`, and reports from step time, GPU busy share "
       "and GPU work whether a step is overhead-bound (more work takes no longer), GPU-bound, or in between, and at "
       "which value it changes from one to the other. The value is in the environment as NAME, and {NAME} in COMMAND's "
       "arguments is replaced by it. The work "
       "of a step should grow in proportion to it: a batch size, a number of samples. The program runs several times: "
       "let it train for some seconds, and save nothing. The table goes to standard error when all runs have "
       "ended; the first run that fails ends the series, and the exit status is its own.",
       "",
       {}});
}

ScaleOptions parse_scale(const std::vector<std::string>& words) {
  ScaleOptions options;
  options.command = table_of(options).parse(words, "scale", true);
  if (options.help) return options;
  settle(options.reports, words_of(scale::scaling_formats()), kScaleStream);
  const char* const example = "write `syncsniff scale --var BATCH=32,64,128 -- ./train --batch {BATCH}`";
  if (options.sweep.values.empty()) throw UsageError(std::string("scale: --var is missing; ") + example);
  if (options.command.empty()) throw UsageError(std::string("scale: no command given; ") + example);
  return options;
}

}  // namespace syncsniff::launcher
