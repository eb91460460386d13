// Lines between #if and #endif, which the build's options may leave out.
#pragma once

#include <utility>
#include <vector>

#include "analyzer/output/source_text.h"

namespace syncsniff::output {

// First and last line of each outermost block, ascending. An include guard is none; a block without its #endif reaches
// to the end.
std::vector<std::pair<unsigned, unsigned>> conditional_lines(const SourceText& source);

}  // namespace syncsniff::output
