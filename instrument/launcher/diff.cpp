#include "instrument/launcher/diff.h"

#include <unistd.h>

#include <iostream>

#include "instrument/compare/change_gates.h"
#include "instrument/compare/comparison_notes.h"
#include "instrument/compare/comparison_text.h"
#include "instrument/launcher/option_words.h"
#include "instrument/launcher/status.h"
#include "instrument/report/loaded_run.h"

namespace syncsniff::launcher {

const char* const kDiffHelp =
    "usage: syncsniff diff [options] A B\n"
    "Compares two traces of one program, before (A) and after (B) a change: step time, GPU busy and idle, launches,\n"
    "copies and waits, and line by line what is gone, new, shrank or grew. Needs no GPU.\n\n"
    "  --fail-on 'FIGURE>+LIMIT'\n"
    "                         exit with 3 when the figure grew by more (FIGURE<-LIMIT: fell by more); repeatable.\n"
    "                         LIMIT is in the figure's own unit, or a percentage of A's: step_ms>+2%, idle_pct>+5,\n"
    "                         busy_pct<-5. Without a sign the limit is on B alone, as `syncsniff run` takes it. A "
    "step\n"
    "                         time that changed by no more than the noise of the steps fails nothing\n"
    "  --step nvtx:NAME       a step is an NVTX range of that name, or goes from one call at that line to the next;\n"
    "  --step line:FILE:LINE  without it steps are found by what repeats\n"
    "  --step-b ...           the same for B alone, where its line has moved\n"
    "  --totals               compare programs that share no source file: without lines\n"
    "  --format terminal|json form of the comparison\n";

namespace {

report::Gate parse_change_limit(const std::string& value) {
  try {
    return report::parse_gate(value);
  } catch (const report::GateError& error) {
    throw UsageError(error.what());
  }
}

compare::RunFigures load(const std::string& path, const timeline::StepChoice& choice, const char* option) {
  try {
    return compare::figures_of_run(report::load_run(path, {}, choice)->report);
  } catch (const timeline::StepChoiceError& error) {
    throw UsageError(path + ": " + error.what() + " (" + option + ")");
  }
}

void refuse_other_programs(const compare::RunFigures& a, const compare::RunFigures& b) {
  if (compare::is_same_program(a, b)) return;
  throw UsageError(a.path + " and " + b.path + " are of different programs (`" + compare::command_text(a) + "`, `" +
                   compare::command_text(b) +
                   "`), with no source file in common; --totals compares them without lines");
}

}  // namespace

DiffOptions parse_diff(const std::vector<std::string>& words) {
  DiffOptions options;
  OptionTable table;
  bool b_has_its_own = false;
  table.valued = {{"--fail-on", [&](const std::string& value) { options.gates.push_back(parse_change_limit(value)); }},
                  {"--format", [&](const std::string& value) { options.format = parse_format(value); }},
                  {"--step", [&](const std::string& value) { options.a_step = parse_step(value); }},
                  {"--step-b", [&](const std::string& value) {
                     options.b_step = parse_step(value);
                     b_has_its_own = true;
                   }}};
  table.flags = {{"--totals", [&] { options.totals_only = true; }},
                 {"--help", [&] { options.help = true; }},
                 {"-h", [&] { options.help = true; }}};
  const auto rest = parse_words(words, table, "diff", false);
  if (options.help) return options;
  if (rest.size() != 2)
    throw UsageError("diff: needs two traces, before and after; write `syncsniff diff before.sstrace after.sstrace`");
  options.a = rest[0];
  options.b = rest[1];
  if (!b_has_its_own) options.b_step = options.a_step;
  return options;
}

int diff(const DiffOptions& options) {
  compare::RunFigures a = load(options.a, options.a_step, "--step");
  compare::RunFigures b = load(options.b, options.b_step, "--step-b");
  if (!options.totals_only) refuse_other_programs(a, b);
  compare::Comparison change = compare::compare(std::move(a), std::move(b), options.totals_only);
  const compare::GateResult gates = compare::check_gates(change, options.gates);
  change.notes.insert(change.notes.end(), gates.notes.begin(), gates.notes.end());
  if (options.format == report::Format::kJson)
    compare::write_json(change, std::cout);
  else
    compare::write_terminal(change, wants_colour(STDOUT_FILENO), std::cout);
  std::cout.flush();
  return is_refused(gates.failed) ? kGateFailed : 0;
}

}  // namespace syncsniff::launcher
