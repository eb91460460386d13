// Finds the known name that a misspelt one most likely means.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

// The nearest name by edit distance; empty if more than a third of each name differs.
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace syncsniff
