// What has changed in the git repository around the working directory: since a revision, or in the index.
#pragma once

#include <map>
#include <string>

#include "analyzer/changes/changed_lines.h"
#include "analyzer/source_texts.h"

namespace syncsniff::changes {

struct Changes {
  ChangedLines lines;
  // The index's text of each file that differs between index and disk, or that a sparse checkout leaves out.
  SourceTexts texts;
  // What to read for the state before the change: all of `texts`, and the former text of each changed file. New files
  // are empty.
  SourceTexts before;
  std::map<std::string, std::string> renamed;  // former paths of renamed files, by their present path
};

// The changes in the working tree since the branch left `revision`, including files that git neither tracks nor
// ignores. If `revision` is HEAD and there is no commit yet, everything is new.
// Errors, here and below: std::runtime_error with one line (no repository, no such revision, git itself).
Changes changes_since(const std::string& revision);

// What committing the index would change.
Changes staged_changes();

}  // namespace syncsniff::changes
