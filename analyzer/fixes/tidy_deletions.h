// Checks know syntax trees, not text, and delete just a statement's bytes. Here such edits are extended to the whole
// line.
#pragma once

#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::fixes {

// Every edit that deletes text ending in `;` becomes what delete_statement() makes of it. Others stay as they are.
void tidy_deletions(FindingsDocument& document, output::SourceCache& sources);

}  // namespace syncsniff::fixes
