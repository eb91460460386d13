// --diff and --staged: what git says has changed decides what is read and what is reported.
#pragma once

#include "analyzer/changes/repository.h"
#include "analyzer/output/options.h"
#include "rules/finding.h"

namespace syncsniff::output {

inline bool wants_changes(const Options& options) { return options.staged || !options.since.empty(); }

// Asks git, and sets in `options` what the analysis has to know. Errors: as in repository.h.
changes::ChangedLines read_changes(Options& options);

// Findings that changed lines neither hold nor cause are taken out.
void keep_changed(FindingsDocument& document, const changes::ChangedLines& changed);

}  // namespace syncsniff::output
