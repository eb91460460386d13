// --diff and --staged: what git says has changed decides what is read and what is reported.
#pragma once

#include "analyzer/changes/repository.h"
#include "analyzer/output/options.h"
#include "rules/finding.h"

namespace syncsniff::output {

inline bool wants_changes(const Options& options) { return options.staged || !options.since.empty(); }

// Asks git, and sets in `options` what the analysis has to know. Errors: as in repository.h.
changes::ChangedLines read_changes(Options& options);

// Findings that were there before the change are taken out, but for those on changed lines or with one on their path.
void keep_changed(FindingsDocument& document, const changes::ChangedLines& changed);

}  // namespace syncsniff::output
