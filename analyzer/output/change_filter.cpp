#include "analyzer/output/change_filter.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "analyzer/folders.h"

namespace syncsniff::output {
namespace {

// A new file may stand in no compile database yet.
bool is_unit(const std::string& path) {
  static const std::set<std::string> kExtensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu"};
  return kExtensions.count(std::filesystem::path(path).extension().string()) != 0;
}

// No changed line is on the finding's path: a constant that makes a rare wait a frequent one, a new caller.
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

}  // namespace

changes::ChangedLines read_changes(Options& options) {
  changes::Changes changes = options.staged ? changes::staged_changes() : changes::changes_since(options.since);
  std::error_code error;
  for (const std::string& file : changes.lines.files()) {
    const bool there = changes.texts.count(file) != 0 || std::filesystem::is_regular_file(file, error);
    if (is_unit(file) && there) options.analysis.also.push_back(file);
  }
  options.analysis.texts = std::move(changes.texts);
  options.analysis.before = std::move(changes.before);
  // Whether a comment is used shows in all of the programs that its file is part of, whatever changed in them.
  if (!options.report_unused_allows) options.analysis.changed = changes.lines.files();
  return std::move(changes.lines);
}

void keep_changed(FindingsDocument& document, const changes::ChangedLines& changed) {
  std::erase_if(document.findings,
                [&](const Finding& finding) { return finding.is_old && !changes::concerns(changed, finding); });
  const auto lines = changed.first_lines();
  for (Finding& finding : document.findings)
    if (!changes::concerns(changed, finding)) name_cause(finding, lines);
}

}  // namespace syncsniff::output
