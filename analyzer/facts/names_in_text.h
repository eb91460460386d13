// Names in a source text, for code that does not use Clang.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::facts {

// In order, keywords included; comments and literals are skipped.
std::vector<std::string> names_in_text(const std::string& text);

}  // namespace syncsniff::facts
