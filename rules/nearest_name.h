// The known name that a misspelt one most likely means.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

// By edit distance; empty when none is near (more than a third of the name differs).
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace syncsniff
