// The steps that `check` and `fix` share: load the rules, run the analysis, apply suppressions, sort the findings.
// Reports units that could not be read; does not depend on formats or edits.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/output/options.h"
#include "analyzer/output/source_text.h"
#include "analyzer/output/unused_allows.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::output {

// analyse() of analyzer/analysis.h; tests pass a function of their own.
using Analyse = std::function<FindingsDocument(const AnalysisOptions&)>;

struct Outcome {
  std::map<std::string, Rule> rules;
  FindingsDocument document;  // sorted by file, line, column, rule; without findings below the least severity
  std::vector<UnusedAllow> unused_allows;  // only if requested
};

// Throws std::runtime_error if one of these is not a readable file or folder. `advice` is added to the message if it
// does not exist.
void require_files(const std::vector<std::string>& files, const std::string& advice = "");

// Warnings about units and comments go to `err`. Throws std::runtime_error with a message of one line (an unknown rule
// id, a missing file, errors of loading and analysing).
Outcome run_analysis(const Options& options, const Analyse& analyse, SourceCache& sources, std::ostream& err);

}  // namespace syncsniff::output
