#include "instrument/launcher/diff.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "instrument/compare/change_gates.h"
#include "instrument/compare/comparison_notes.h"
#include "instrument/compare/comparison_text.h"
#include "instrument/launcher/option_words.h"
#include "instrument/launcher/report_files.h"
#include "instrument/launcher/report_targets.h"
#include "instrument/launcher/status.h"
#include "instrument/report/findings.h"
#include "instrument/report/loaded_run.h"

namespace syncsniff::launcher {

namespace {

report::Gate parse_change_limit(const std::string& value) {
  try {
    return report::parse_gate(value);
  } catch (const report::GateError& error) {
    throw UsageError(error.what());
  }
}

// Refuses a JSON report, which has neither single steps nor lines that can be matched.
void refuse_report(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;  // opening a pipe would block
  if (std::ifstream(path).get() == '{')
    throw UsageError(path + ": a JSON report, not a trace; give the trace that it was made of (its \"trace\")");
}

compare::RunFigures load(const std::vector<std::string>& paths, const std::vector<std::string>& findings,
                         const report::Reading& reading, const char* option) {
  const report::StaticSide side = report::load_static_side(findings);
  std::vector<compare::RunFigures> runs;
  for (const std::string& path : paths) {
    refuse_report(path);
    try {
      runs.push_back(compare::figures_of_run(report::load_run(path, side, reading)->report));
    } catch (const timeline::StepChoiceError& error) {
      throw UsageError(path + ": " + error.what() + " (" + option + ")");
    }
  }
  return compare::together(std::move(runs));
}

void refuse_other_programs(const compare::RunFigures& a, const compare::RunFigures& b) {
  if (compare::is_same_program(a, b)) return;
  throw UsageError(a.path + " and " + b.path + " are of different programs (`" + compare::command_text(a) + "`, `" +
                   compare::command_text(b) +
                   "`), with no source file in common; --totals compares them without lines");
}

// What parse_diff() collects besides the options themselves.
struct DiffWords {
  DiffOptions options;
  bool b_has_its_own_step = false;
};

constexpr const char* kDiffStream = "standard output";

OptionTable table_of(DiffWords& words) {
  DiffOptions& options = words.options;
  OptionTable table;
  table.value({"--fail-on"}, "'FIGURE>+LIMIT'",
              "exit with 3 when the figure grew by more (FIGURE<-LIMIT: fell by more); repeatable. LIMIT is in the "
              "figure's own unit, or a percentage of A's: step_ms>+2%, idle_pct>+5, busy_pct<-5. Without a sign the "
              "limit is on B alone, as `syncsniff run` takes it. A step time that changed by no more than the noise of "
              "the steps fails nothing",
              [&options](const std::string& value) { options.gates.push_back(parse_change_limit(value)); });
  add_step(table, options.a_step);
  table.value({"--step-b"}, "nvtx:NAME|line:FILE:LINE", "the same for B only, where the line has moved there",
              [&words](const std::string& value) {
                words.options.b_step = parse_step(value);
                words.b_has_its_own_step = true;
              });
  add_code_options(table, options.border);
  table.list({"--findings"}, "FILE",
             "JSON of `syncsniff check --format=json`: lines show their rules, and are matched by them; "
             "repeatable",
             options.a_findings);
  table.list({"--findings-b"}, "FILE", "the same for B only, of its own sources", options.b_findings);
  table.flag({"--totals"}, "compare only totals, not lines, even of programs that share no source file",
             options.totals_only);
  add_format(table, options.reports, words_of(compare::comparison_formats()), "comparison", kDiffStream);
  add_help(table, options.help);
  return table;
}

}  // namespace

manual::CommandPage diff_page() {
  DiffWords scratch;
  return table_of(scratch).page(
      {"diff",
       {"syncsniff diff [options] A B", "syncsniff diff [options] A1 A2... -- B1 B2..."},
       "Compares two traces of one program, before (A) and after (B) a change: step time, GPU busy and idle, launches, "
       "copies and waits, and line by line what is gone, new, shrank or grew. Needs no GPU. Several recordings of each "
       "version, recorded alternately, distinguish a change from a machine that was slower for a while.",
       "",
       {}});
}

DiffOptions parse_diff(const std::vector<std::string>& words) {
  DiffWords read;
  DiffOptions& options = read.options;
  const OptionTable table = table_of(read);
  const auto border = std::find(words.begin(), words.end(), "--");
  options.a = table.parse({words.begin(), border}, "diff", false);
  if (options.help) return options;
  settle(options.reports, words_of(compare::comparison_formats()), kDiffStream);
  if (border != words.end())
    options.b.assign(border + 1, words.end());
  else if (options.a.size() == 2)
    options.b.assign(1, options.a.back()), options.a.pop_back();
  if (options.a.empty() || options.b.empty())
    throw UsageError(
        "diff: needs two traces, before and after; write `syncsniff diff before.sstrace after.sstrace`, or several of "
        "each with -- between");
  if (!read.b_has_its_own_step) options.b_step = options.a_step;
  if (options.b_findings.empty()) options.b_findings = options.a_findings;
  return options;
}

int diff(const DiffOptions& options) {
  const ReportFiles report_files(options.reports);
  compare::RunFigures a = load(options.a, options.a_findings, {options.a_step, options.border}, "--step");
  compare::RunFigures b = load(options.b, options.b_findings, {options.b_step, options.border}, "--step-b");
  if (!options.totals_only) refuse_other_programs(a, b);
  compare::Comparison change = compare::compare(std::move(a), std::move(b), options.totals_only);
  const compare::GateResult gates = compare::check_gates(change, options.gates);
  change.notes.insert(change.notes.end(), gates.notes.begin(), gates.notes.end());
  write_reports(options.reports, report_files, compare::comparison_formats(), change, wants_colour(STDOUT_FILENO),
                std::cout);
  std::cout.flush();
  return is_refused(gates.failed) ? kGateFailed : 0;
}

}  // namespace syncsniff::launcher
