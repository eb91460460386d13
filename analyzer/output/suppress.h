// Marks the findings that a comment in the source allows. Such findings are kept, with the reason, but not counted.
// NOLINT has the same meaning as for clang-tidy, for checks named `syncsniff-<rule id>`; docs/check.md has the details.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

// An error in a suppression comment itself: an unknown rule, a BEGIN without its END.
struct CommentFault {
  Location location;
  std::string message;
};

// One name between the parentheses of a comment about our rules.
struct SuppressionName {
  Location location;
  std::string spelling;         // "allow(sync-in-loop)", "NOLINT(syncsniff-*)"
  std::set<std::string> rules;  // ids that the name stands for
  bool used = false;            // it allows a finding of one of these rules
};

struct Suppressions {
  std::vector<CommentFault> faults;
  std::vector<SuppressionName> comments;
};

// Sets allowed and allowed_because. `rules`: all known rule ids. Reads the comments in the files of findings and in
// `commented`.
Suppressions apply_suppressions(FindingsDocument& document, SourceCache& sources, const std::vector<std::string>& rules,
                                const std::vector<std::string>& commented);

}  // namespace syncsniff::output
