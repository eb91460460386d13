#include "analyzer/output/check_command.h"

#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "analyzer/output/change_filter.h"
#include "analyzer/output/github.h"
#include "analyzer/output/hot_calls.h"
#include "analyzer/output/sarif.h"
#include "analyzer/output/summary.h"
#include "analyzer/output/text.h"
#include "analyzer/output/why_not.h"
#include "analyzer/output/write_file.h"
#include "rules/api_facts.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

// https://no-color.org, and terminals that know no escapes.
bool wants_colour(const Options& options) {
  if (options.colour != ColourChoice::kAuto) return options.colour == ColourChoice::kAlways;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  bool refused = (no_colour && *no_colour) || !terminal || std::string_view(terminal) == "dumb";
  return !refused && options.output.empty() && ::isatty(STDOUT_FILENO);
}

Baseline read_baseline(const std::string& path) {
  Baseline known;
  if (path.empty()) return known;
  for (const Finding& finding : read_findings_json(path).findings) {
    if (finding.allowed) continue;  // what a comment allows, no baseline has to; without the comment it is new
    known.insert(finding.fingerprint);
    known.insert(finding.call_fingerprints.begin(), finding.call_fingerprints.end());
  }
  return known;
}

std::string write_report(const Options& options, const Outcome& outcome, const Baseline& baseline,
                         SourceCache& sources) {
  switch (options.format) {
    case Format::kJson:
      return write_findings_json(keep_hottest_calls(outcome.document, baseline, kMostJsonCalls));
    case Format::kSarif:
      return write_sarif(outcome.document, outcome.rules, options.baseline.empty() ? nullptr : &baseline, sources);
    case Format::kGithub:
      return write_github(outcome.document, baseline);
    case Format::kText:
      break;
  }
  return write_text(outcome.document, baseline, sources, {wants_colour(options), options.show_allowed, options.quiet});
}

// False when the report is not where it was asked for. It is then on standard output: the minutes it cost are not lost.
bool deliver(const Options& options, const std::string& report, std::ostream& out, std::ostream& err) {
  if (options.output.empty()) {
    out << report << std::flush;
    return true;
  }
  try {
    write_file_atomically(options.output, report);
    return true;
  } catch (const std::runtime_error& error) {
    err << "syncsniff: error: " << printable(error.what()) << "; the report goes to standard output instead\n";
    out << report << std::flush;
    return false;
  }
}

// What both end in: the report, what the run comes to, the exit code.
int conclude(const Options& options, const Outcome& outcome, const Baseline& baseline, SourceCache& sources,
             std::ostream& out, std::ostream& err) {
  bool delivered = deliver(options, write_report(options, outcome, baseline, sources), out, err);
  if (!out) throw std::runtime_error("standard output: cannot write the report; use -o FILE");

  Tally tally = count(outcome.document, baseline, options.fail_level);
  if (tell_nothing_analysed(tally, options.accept_partial, err)) return 2;
  bool incomplete = tally.partial + tally.failed > 0;
  if (!options.quiet || incomplete) err << summary_line(tally) << "\n";
  return delivered ? exit_code(tally) : 2;
}

int check_all(const Options& options, const Baseline& baseline, const Analyse& analyse, std::ostream& out,
              std::ostream& err) {
  SourceCache sources;
  const Outcome outcome = run_analysis(options, analyse, sources, err);
  return conclude(options, outcome, baseline, sources, out, err);
}

int check_changes(Options options, const Baseline& baseline, const Analyse& analyse, std::ostream& out,
                  std::ostream& err) {
  const changes::ChangedLines changed = read_changes(options);
  SourceCache sources("", options.analysis.texts);
  if (changed.empty()) {
    const Outcome nothing{load_rules(data_directory() + "/rules/checks"), {}};
    const bool delivered = deliver(options, write_report(options, nothing, baseline, sources), out, err);
    if (!options.quiet) err << "no findings: no line " << (options.staged ? "is staged" : "has changed") << "\n";
    return delivered ? 0 : 2;
  }
  Outcome outcome = run_analysis(options, analyse, sources, err);
  keep_changed(outcome.document, changed);
  return conclude(options, outcome, baseline, sources, out, err);
}

}  // namespace

int run_check(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err) {
  if (!options.analysis.why_not.file.empty()) return run_why_not(options, analyse, out, err);
  Baseline baseline = read_baseline(options.baseline);
  return wants_changes(options) ? check_changes(options, baseline, analyse, out, err)
                                : check_all(options, baseline, analyse, out, err);
}

}  // namespace syncsniff::output
