#include "analyzer/output/change_filter.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace syncsniff::output {
namespace {

// A new file may stand in no compile database yet.
bool is_unit(const std::string& path) {
  static const std::set<std::string> kExtensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu"};
  return kExtensions.count(std::filesystem::path(path).extension().string()) != 0;
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
}

}  // namespace syncsniff::output
