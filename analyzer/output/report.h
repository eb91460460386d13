// The input of the writers of report formats.
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
  bool show_allowed = false;  // show allowed findings, too, with the reason
  bool quiet = false;         // one line per finding, without source and notes
};

struct Report {
  const FindingsDocument& document;  // sorted by file, line, column, rule
  const std::map<std::string, Rule>& rules;
  const Baseline& baseline;
  bool has_baseline = false;  // false: no finding is called new or old
  SourceCache& sources;
  TextStyle style = {};
};

}  // namespace syncsniff::output
