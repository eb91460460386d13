// Checks know syntax trees, not text: they delete a statement's own bytes. Here such edits take the line with them.
#pragma once

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::fixes {

// Every edit that deletes text ending in `;` becomes what delete_statement() makes of it. Others stay as they are.
void tidy_deletions(FindingsDocument& document, output::SourceCache& sources);

}  // namespace syncsniff::fixes
