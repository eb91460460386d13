// Decides, file by file, which edits of which findings are made, and which findings are left for a manual fix. Reads
// and writes no files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/finding.h"

namespace syncsniff::fixes {

struct FilePlan {
  std::string shown;        // the path as findings spell it
  std::vector<Edit> edits;  // sorted by offset; no two overlap
};

struct EditPlan {
  std::map<std::string, FilePlan> files;  // by real path, so that two names of one file are one entry
  std::vector<const Finding*> fixed;      // all their edits are in `files`
  std::vector<const Finding*> clashing;   // an edit overlaps with one of an earlier finding
  std::vector<const Finding*> by_hand;    // they have no safe edit, and no fix deletes their code
  std::vector<const Finding*> fetched;    // in files of another project, which the build has downloaded
};

// Plans only safe edits, in the document's order, and either all or none of a finding's edits. Skips allowed findings.
EditPlan plan_edits(const FindingsDocument& document);

unsigned edit_count(const EditPlan& plan);

}  // namespace syncsniff::fixes
