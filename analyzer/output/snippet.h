// A source line with a caret below it, in Clang's form.
#pragma once

#include <string>

#include "analyzer/output/display.h"
#include "analyzer/output/source_text.h"
#include "rules/finding.h"

namespace syncsniff::output {

// "   42 |     call(x);\n      |     ^~~~~~~\n": underlines the location's range on its first line, from its column.
// with_caret false: only the source line. Empty if the file has no such line. Very long lines are cut around the caret.
std::string snippet(const SourceText& source, const Location& location, bool with_caret, const Colours& colours);

}  // namespace syncsniff::output
