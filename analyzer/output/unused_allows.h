// Finds allow comments that allow nothing in a run. Leaves out comments whose finding the run may have missed: for
// rules that were not run, in files that were partly read or left out, between #if and #endif.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/output/source_text.h"
#include "analyzer/output/suppress.h"
#include "rules/finding.h"

namespace syncsniff::output {

struct UnusedAllow {
  Location location;
  std::string message;
  bool certain = true;  // false: a unit was not read completely, and the code that it calls may need the comment
};

// `rules`: those that were run with all their findings. `files`: those for which findings were requested; empty: all.
std::vector<UnusedAllow> unused_allows(const std::vector<SuppressionName>& comments, const std::set<std::string>& rules,
                                       const std::vector<std::string>& files, const FindingsDocument& document,
                                       SourceCache& sources);

// Keeps only comments in these files; their paths may be spelled in any way.
void keep_in_files(std::vector<UnusedAllow>& unused, const std::vector<std::string>& files);

}  // namespace syncsniff::output
