#include "analyzer/output/check_command.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "analyzer/output/change_filter.h"
#include "analyzer/output/report_files.h"
#include "analyzer/output/summary.h"
#include "analyzer/output/text.h"
#include "analyzer/output/why_not.h"
#include "rules/api_facts.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

Baseline read_baseline(const std::string& path) {
  Baseline known;
  if (path.empty()) return known;
  for (const Finding& finding : read_findings_json(path).findings) {
    // Findings allowed by a comment are not added; without the comment they are new.
    if (!finding.allowed) add_to_baseline(finding, known);
  }
  return known;
}

// Returns false if one of them makes the run fail with --fail-unused-allows.
bool warn_of_unused_allows(const std::vector<UnusedAllow>& unused, std::ostream& err) {
  for (const UnusedAllow& one : unused) err << place(one.location) << ": warning: " << printable(one.message) << "\n";
  return std::none_of(unused.begin(), unused.end(), [](const UnusedAllow& one) { return one.certain; });
}

// The common end of both functions: writes the reports and the summary, and returns the exit code.
int conclude(const Options& options, Outcome& outcome, const Baseline& baseline, SourceCache& sources,
             const AfterReport& after, std::ostream& out, std::ostream& err) {
  const bool delivered = write_reports(options, outcome, baseline, sources, out, err);
  const bool allows_are_used = warn_of_unused_allows(outcome.unused_allows, err);

  Tally tally = count(outcome.document, baseline, options.fail_level);
  if (report_nothing_analysed(tally, options.accept_partial, err)) return 2;
  bool incomplete = tally.partial + tally.failed > 0;
  if (!options.quiet || incomplete) err << summary_line(tally) << "\n";
  if (options.require_complete && incomplete) {
    err << "syncsniff: error: --require-complete: units were not read completely; the warnings name them\n";
    return 2;
  }
  int code = exit_code(tally);
  if (after) {
    std::erase_if(outcome.document.findings, [&](const Finding& f) { return in_baseline(f, baseline); });
    code = after(outcome);
  }
  if (options.fail_unused_allows && !allows_are_used) code = std::max(code, 1);
  return delivered ? code : 2;
}

int check_all(const Options& options, const Baseline& baseline, const Analyse& analyse, const AfterReport& after,
              std::ostream& out, std::ostream& err) {
  SourceCache sources;
  Outcome outcome = run_analysis(options, analyse, sources, err);
  return conclude(options, outcome, baseline, sources, after, out, err);
}

int check_changes(Options options, const Baseline& baseline, const Analyse& analyse, const AfterReport& after,
                  std::ostream& out, std::ostream& err) {
  // Checked before git is run: if nothing has changed, a revision given in place of a file would go unnoticed.
  require_files(options.analysis.files, options.staged ? "" : "; a revision is written --diff=REV");
  const changes::ChangedLines changed = read_changes(options);
  SourceCache sources("", options.analysis.texts);
  if (changed.empty()) {
    const Outcome nothing{load_rules(data_directory() + "/rules/checks"), {}, {}};
    const bool delivered = write_reports(options, nothing, baseline, sources, out, err);
    if (!options.quiet)
      err << "no findings: no line of code " << (options.staged ? "is staged" : "has changed") << "\n";
    return delivered ? 0 : 2;
  }
  const auto analyse_changed = [&](const AnalysisOptions& requested) {
    FindingsDocument document = analyse(requested);
    if (!options.report_unused_allows) keep_changed(document, changed);
    return document;
  };
  Outcome outcome = run_analysis(options, analyse_changed, sources, err);
  // Only after suppressions were applied: a comment may be used by a finding that the change does not affect.
  if (options.report_unused_allows) keep_changed(outcome.document, changed);
  keep_in_files(outcome.unused_allows, changed.files());
  return conclude(options, outcome, baseline, sources, after, out, err);
}

}  // namespace

int run_check(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err) {
  return run_check_and_then(options, analyse, {}, out, err);
}

int run_check_and_then(const Options& options, const Analyse& analyse, const AfterReport& after, std::ostream& out,
                       std::ostream& err) {
  if (!options.analysis.why_not.file.empty()) return run_why_not(options, analyse, out, err);
  Baseline baseline = read_baseline(options.baseline);
  return wants_changes(options) ? check_changes(options, baseline, analyse, after, out, err)
                                : check_all(options, baseline, analyse, after, out, err);
}

}  // namespace syncsniff::output
