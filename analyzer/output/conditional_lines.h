// Lines between #if and #endif, which some build options may exclude.
#pragma once

#include <utility>
#include <vector>

#include "analyzer/output/source_text.h"

namespace syncsniff::output {

// First and last line of each outermost block, ascending. An include guard does not count; a block without #endif
// extends to the end of the text.
std::vector<std::pair<unsigned, unsigned>> conditional_lines(const SourceText& source);

}  // namespace syncsniff::output
