#include "analyzer/output/change_filter.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/folders.h"
#include "rules/source_names.h"

namespace syncsniff::output {
namespace {

// Adds the changed lines to a finding that has none on its path: the change may be to a constant that makes a rare wait
// frequent, or a new caller.
void name_cause(Finding& finding, const std::vector<std::pair<std::string, unsigned>>& lines) {
  constexpr size_t kMostNamed = 3;
  for (size_t i = 0; i < lines.size() && i < kMostNamed; ++i) {
    Location at;
    at.file = path_below(std::filesystem::current_path(), lines[i].first);
    at.line = at.end_line = lines[i].second;
    at.column = at.end_column = 1;
    std::string text =
        "changed here: since the change this finding is new or more severe, though its own line is the same";
    if (i != 0) text = "changed here, too";
    if (i + 1 == kMostNamed && lines.size() > kMostNamed)
      text += ", and in " + std::to_string(lines.size() - kMostNamed) + " more files";
    finding.path.push_back({at, text});
  }
}

// Findings with the same line text in one function are numbered from the top. If a copy of a line was added above it,
// the old line gets the new number, and the new line the number of the old one.
void undo_shifts(std::vector<Finding>& findings, const changes::ChangedLines& changed) {
  using Alike = std::tuple<std::string, std::string, std::string, std::string, Severity>;
  std::map<Alike, std::vector<Finding*>> old_ones;  // on changed lines
  const auto alike = [](const Finding& f) { return Alike{f.rule, f.location.file, f.function, f.message, f.severity}; };
  for (Finding& finding : findings)
    if (finding.is_old && changes::is_on(changed, finding)) old_ones[alike(finding)].push_back(&finding);
  for (Finding& finding : findings) {
    if (finding.is_old || changes::concerns(changed, finding)) continue;
    const auto shifted = old_ones.find(alike(finding));
    if (shifted == old_ones.end() || shifted->second.empty()) continue;
    Finding& added = *shifted->second.back();
    shifted->second.pop_back();
    added.is_old = false;
    finding.is_old = true;
    if (added.allowed) continue;  // number_allowed_last() has left the old line its fingerprint
    // A baseline compares fingerprints, so the old line must keep its own.
    std::swap(added.fingerprint, finding.fingerprint);
    std::swap(added.call_fingerprints, finding.call_fingerprints);
  }
}

}  // namespace

changes::ChangedLines read_changes(Options& options) {
  changes::Changes changes = options.staged ? changes::staged_changes() : changes::changes_since(options.since);
  std::error_code error;
  for (const std::string& file : changes.lines.files()) {
    const bool there = changes.texts.count(file) != 0 || std::filesystem::is_regular_file(file, error);
    // A new file may not be in a compile database yet.
    if (is_unit_name(file) && there) options.analysis.also.push_back(file);
  }
  // A file that was only moved has no changed line, and the database may still have its old name.
  for (const auto& [now, before] : changes.renamed)
    if (is_unit_name(now) && std::filesystem::is_regular_file(now, error)) options.analysis.also.push_back(now);
  options.analysis.texts = std::move(changes.texts);
  options.analysis.before = std::move(changes.before);
  options.analysis.renamed = std::move(changes.renamed);
  options.analysis.at_commit = options.staged;
  // To know whether a comment is used, all programs that its file is part of must be analysed, whatever changed in
  // them.
  if (!options.report_unused_allows) options.analysis.changed = changes.lines.files();
  return std::move(changes.lines);
}

void keep_changed(FindingsDocument& document, const changes::ChangedLines& changed) {
  undo_shifts(document.findings, changed);
  std::erase_if(document.findings,
                [&](const Finding& finding) { return finding.is_old && !changes::concerns(changed, finding); });
  const auto lines = changed.first_lines();
  for (Finding& finding : document.findings)
    if (!changes::concerns(changed, finding)) name_cause(finding, lines);
}

}  // namespace syncsniff::output
