// What `check` and `fix` share: rules loaded, analysis run, suppressions applied, findings put in order.
// Tells units that could not be read; decides nothing about formats or edits.
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

// analyse() of analyzer/analysis.h; tests put in their own.
using Analyse = std::function<FindingsDocument(const AnalysisOptions&)>;

struct Outcome {
  std::map<std::string, Rule> rules;
  FindingsDocument document;               // by file, line, column, rule; nothing below the least severity asked for
  std::vector<UnusedAllow> unused_allows;  // where they were asked for
};

// Throws std::runtime_error unless all of these are files or folders that can be read. `advice`: on one that is not
// there.
void require_files(const std::vector<std::string>& files, const std::string& advice = "");

// Warnings about units and comments go to `err`. Errors: std::runtime_error with one line (an unknown rule id, a file
// that is not there, whatever loading and analysing throw).
Outcome run_analysis(const Options& options, const Analyse& analyse, SourceCache& sources, std::ostream& err);

}  // namespace syncsniff::output
