// Decides which edits of which findings are made, file by file, and what is left for a manual fix. Reads and writes no
// files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

struct FilePlan {
  std::string shown;        // the path as findings name it
  std::vector<Edit> edits;  // sorted by offset; no two overlap
};

struct EditPlan {
  std::map<std::string, FilePlan> files;  // by real path, so that two names of one file are one
  std::vector<const Finding*> fixed;      // every edit of theirs is in `files`
  std::vector<const Finding*> clashing;   // overlap with an edit of an earlier finding
  std::vector<const Finding*> by_hand;    // no safe edit, and not about code that a fix deletes
  std::vector<const Finding*> fetched;    // in files of another project, which the build has fetched
};

// Takes safe edits only, in the document's order, a finding's edits all or none. Allowed findings are left alone.
EditPlan plan_edits(const FindingsDocument& document);

unsigned edit_count(const EditPlan& plan);

}  // namespace syncsniff::fixes
