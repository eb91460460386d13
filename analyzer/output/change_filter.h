// --diff and --staged: the changes according to git decide what is read and what is reported.
#pragma once

#include "analyzer/changes/repository.h"
#include "analyzer/output/options.h"
#include "rules/finding.h"

namespace syncsniff::output {

inline bool wants_changes(const Options& options) { return options.staged || !options.since.empty(); }

// Runs git, and sets the changed files and their earlier texts in `options`. Errors: as in repository.h.
changes::ChangedLines read_changes(Options& options);

// Removes findings that existed before the change, except those on changed lines or with a changed line on their path.
void keep_changed(FindingsDocument& document, const changes::ChangedLines& changed);

}  // namespace syncsniff::output
