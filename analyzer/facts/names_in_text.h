// Names in the text of a source, for those who know nothing of Clang.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::facts {

// In order, keywords too; what stands in comments and literals is none.
std::vector<std::string> names_in_text(const std::string& text);

}  // namespace syncsniff::facts
