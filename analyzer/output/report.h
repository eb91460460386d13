// What the writer of a report format is given.
#pragma once

#include <map>
#include <string>

#include "analyzer/output/source_text.h"
#include "analyzer/output/summary.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace syncsniff::output {

struct TextStyle {
  bool colour = false;
  bool show_allowed = false;  // allowed findings too, with the reason
  bool quiet = false;         // one line a finding: no source, no notes
};

struct Report {
  const FindingsDocument& document;  // by file, line, column, rule
  const std::map<std::string, Rule>& rules;
  const Baseline& baseline;
  bool has_baseline = false;  // false: no finding is called new or old
  SourceCache& sources;
  TextStyle style = {};
};

}  // namespace syncsniff::output
