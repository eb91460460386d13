// Marks the findings that a comment in the source allows. Such findings are kept, with the reason, and not counted.
// NOLINT means what it means to clang-tidy, for checks called `syncsniff-<rule id>`; docs/check.md tells the whole.
#pragma once

#include <string>
#include <vector>

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

// Something wrong in a suppression comment itself: an unknown rule, a BEGIN without its END.
struct CommentFault {
  Location location;
  std::string message;
};

// Sets allowed and allowed_because. `rules`: every known rule id. Faults are found in the files of findings and units.
std::vector<CommentFault> apply_suppressions(FindingsDocument& document, SourceCache& sources,
                                             const std::vector<std::string>& rules);

}  // namespace syncsniff::output
