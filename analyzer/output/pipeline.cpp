#include "analyzer/output/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/output/fingerprints.h"
#include "analyzer/output/summary.h"
#include "analyzer/output/suppress.h"
#include "analyzer/output/text.h"
#include "rules/api_facts.h"
#include "rules/regular_file.h"
#include "rules/rule_choice.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

// After so many warnings, units that could not be read are only counted, unless --verbose is given.
constexpr size_t kMaxUnitWarnings = 20;

std::vector<std::string> ids_of(const std::map<std::string, Rule>& rules) {
  std::vector<std::string> ids;
  ids.reserve(rules.size());
  for (const auto& [id, rule] : rules) ids.push_back(id);
  return ids;
}

void warn_of_no_database(size_t units, std::ostream& err) {
  err << "syncsniff: warning: no compile_commands.json: " << units
      << (units == 1 ? " file was read alone, with default options" : " files were read together, with default options")
      << "; code in other files is unknown; -p names a database\n";
}

// A missing header makes every unit that includes it partial, all for the same reason.
bool is_same_cause(const UnitStatus& a, const UnitStatus& b) {
  return a.status == "partial" && b.status == "partial" && !a.why.empty() && a.why == b.why;
}

void warn_of_units(const FindingsDocument& document, bool all, std::ostream& err) {
  if (document.no_database) warn_of_no_database(document.units.size(), err);
  size_t warned = 0, not_shown = 0;
  for (auto at = document.units.begin(); at != document.units.end(); ++at) {
    const UnitStatus& unit = *at;
    if (unit.status == "analysed" && unit.why.empty()) continue;
    const auto has_its_cause = [&](const UnitStatus& other) { return is_same_cause(unit, other); };
    if (!all && std::any_of(document.units.begin(), at, has_its_cause)) continue;
    const auto others = all ? 0 : std::count_if(at + 1, document.units.end(), has_its_cause);
    // Failed units are all named, since nothing else says which findings are missing.
    if (!all && warned >= kMaxUnitWarnings && unit.status != "failed") {
      ++not_shown;
      continue;
    }
    ++warned;
    err << "syncsniff: warning: " << printable(unit.file)
        << (others == 0 ? "" : " and " + plural(static_cast<unsigned>(others), "other unit"))
        << (unit.status == "partial"    ? ": only partly analysed"
            : unit.status == "analysed" ? ""
                                        : ": not analysed")
        << (unit.why.empty() ? "" : ": ") << printable(unit.why) << "\n";
  }
  if (not_shown > 0)
    err << "syncsniff: warning: " << not_shown << " more units only partly analysed; --verbose names them\n";
  for (const std::string& rule : document.rules_left_out) err << "syncsniff: warning: " << printable(rule) << "\n";
}

// The rules that were run with all their findings. With level 0, a rule that is on omits findings that are less certain
// than the rule.
std::set<std::string> rules_run_whole(const AnalysisOptions& options, const std::map<std::string, Rule>& rules) {
  std::set<std::string> whole;
  for (const auto& [id, highest] : chosen_rules({options.rules, options.max_level}, rules))
    if (highest >= std::max(1, rules.at(id).level)) whole.insert(id);
  return whole;
}

void sort_findings(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.location.file, a.location.line, a.location.column, a.rule) <
           std::tie(b.location.file, b.location.line, b.location.column, b.rule);
  });
}

// Files whose wrong `syncsniff:` comments are reported even if they have no finding. In a hook only the changed units
// count: reading all sources of 2,000 units took 0.2 s.
std::vector<std::string> files_with_comments(const AnalysisOptions& options, const FindingsDocument& document) {
  const std::set<std::string> changed(options.changed.begin(), options.changed.end());
  std::set<std::filesystem::path> names;  // compared first, since resolving a path reads each of its folders
  for (const std::string& file : changed) names.insert(std::filesystem::path(file).filename());
  std::vector<std::string> files;
  for (const UnitStatus& unit : document.units)
    if (changed.empty() ||
        (names.count(std::filesystem::path(unit.file).filename()) && changed.count(real_path(unit.file))))
      files.push_back(unit.file);
  files.insert(files.end(), document.requested.begin(), document.requested.end());
  return files;
}

}  // namespace

void require_files(const std::vector<std::string>& files, const std::string& advice) {
  for (const std::string& file : files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
      throw std::runtime_error(file + ": no such file; give paths relative to the working directory" + advice);
    if (std::filesystem::is_directory(file, error)) continue;  // stands for the sources in it
    if (const std::string problem = why_not_regular(file); !problem.empty())
      throw std::runtime_error(file + ": " + problem + "; give source files");
    if (std::filesystem::path(file).extension() == ".py")
      throw std::runtime_error(file + ": check reads C, C++ and CUDA; `syncsniff run python " + file +
                               "` measures a Python program");
  }
}

Outcome run_analysis(const Options& options, const Analyse& analyse, SourceCache& sources, std::ostream& err) {
  Outcome outcome;
  outcome.rules = load_rules(data_directory() + "/rules/checks");
  std::vector<std::string> ids = ids_of(outcome.rules);
  for (const std::string& glob : options.analysis.rules)
    if (const std::string problem = why_no_rule(glob, outcome.rules); !problem.empty())
      throw std::runtime_error("--rules: " + problem);
  if (chosen_rules({options.analysis.rules, options.analysis.max_level}, outcome.rules).empty())
    err << "syncsniff: warning: every rule is off (--rules, or `rules` in .syncsniff.yaml): nothing will be reported\n";
  require_files(options.analysis.files);

  outcome.document = analyse(options.analysis);
  std::vector<Finding>& findings = outcome.document.findings;
  sort_findings(findings);
  const Suppressions suppressions =
      apply_suppressions(outcome.document, sources, ids, files_with_comments(options.analysis, outcome.document));
  number_allowed_last(findings);
  // Removed only now: a comment that allows one of these counts as used.
  std::erase_if(findings, [&](const Finding& finding) { return finding.severity < options.min_severity; });
  for (const CommentFault& fault : suppressions.faults)
    err << place(fault.location) << ": warning: " << printable(fault.message) << "\n";
  if (options.report_unused_allows)
    outcome.unused_allows = unused_allows(suppressions.comments, rules_run_whole(options.analysis, outcome.rules),
                                          outcome.document.requested, outcome.document, sources);
  warn_of_units(outcome.document, options.analysis.verbose, err);
  if (!options.quiet)
    for (const std::string& note : outcome.document.notes) err << "syncsniff: note: " << printable(note) << "\n";
  return outcome;
}

}  // namespace syncsniff::output
