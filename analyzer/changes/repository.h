// What has changed in the git repository around the working directory: since a revision, or in the index.
#pragma once

#include <map>
#include <string>

#include "analyzer/changes/changed_lines.h"
#include "analyzer/source_texts.h"

namespace syncsniff::changes {

struct Changes {
  ChangedLines lines;
  // Files whose index version differs from the disk, or that a sparse checkout leaves out, with the text of the index.
  SourceTexts texts;
  // What to read for the state before the change: all of `texts`, and each changed file as it was. Files that are new
  // are empty.
  SourceTexts before;
  std::map<std::string, std::string> renamed;  // what files were called before, by their present path
};

// What the working tree changes, files that git does not know and does not ignore included, since the branch left
// `revision`. HEAD where there is no commit yet: everything is new.
// Errors, here and below: std::runtime_error with one line (no repository, no such revision, git itself).
Changes changes_since(const std::string& revision);

// What a commit of the index would change.
Changes staged_changes();

}  // namespace syncsniff::changes
