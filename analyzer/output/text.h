// Findings for people and editors, in the way of Clang: file:line:col, message, source line, notes.
#pragma once

#include <string>

#include "analyzer/output/report.h"
#include "analyzer/output/source_text.h"
#include "analyzer/output/summary.h"
#include "rules/finding.h"

namespace syncsniff::output {

// Findings in the document's order; those that differ in the hot call alone are one entry. Those in the baseline are
// left out.
std::string write_text(const FindingsDocument& document, const Baseline& baseline, SourceCache& sources,
                       const TextStyle& style);

// high and medium: "warning"; low and info: "remark".
const char* diagnostic_word(Severity severity);

// "file:line:col", as much of it as is known.
std::string place(const Location& location);

// One finding in a line: "file:line:col: warning: message [rule] (high)", and how many more calls make the line hot.
std::string headline(const Finding& finding, bool colour, size_t further_calls = 0);

}  // namespace syncsniff::output
