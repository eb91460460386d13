// Findings for people and editors, in Clang's form: file:line:col, message, source line, notes.
#pragma once

#include <string>

#include "analyzer/output/report.h"
#include "analyzer/output/source_text.h"
#include "analyzer/output/summary.h"
#include "rules/finding.h"

namespace syncsniff::output {

// Findings in the document's order. Those that differ only in the hot call are one entry; those in the baseline are
// left out.
std::string write_text(const FindingsDocument& document, const Baseline& baseline, SourceCache& sources,
                       const TextStyle& style);

// high and medium: "warning"; low and info: "remark".
const char* diagnostic_word(Severity severity);

// "file:line:col", without the parts that are unknown.
std::string place(const Location& location);

// One finding as a line: "file:line:col: warning: message [rule] (high)", and the number of further calls that make the
// line hot.
std::string headline(const Finding& finding, bool colour, size_t further_calls = 0);

}  // namespace syncsniff::output
