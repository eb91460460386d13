// Extends deletions to whole lines. Checks know syntax trees, not text, and delete only the bytes of a statement.
#pragma once

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::fixes {

// Replaces every edit that deletes text ending in `;` by the result of delete_statement(). Other edits stay as they
// are.
void tidy_deletions(FindingsDocument& document, output::SourceCache& sources);

}  // namespace syncsniff::fixes
