// The source line with a caret below it, in the way of Clang.
#pragma once

#include <string>

#include "analyzer/output/display.h"
#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

// "   42 |     call(x);\n      |     ^~~~~~~\n": the range of the location's first line is underlined, from its column.
// with_caret false: the source line alone. Empty when the file has no such line. Very long lines are cut around the
// caret.
std::string snippet(const SourceText& source, const Location& location, bool with_caret, const Colours& colours);

}  // namespace syncsniff::output
