// Which file of one version corresponds to which file of the other; the checkouts may be in different folders.
#pragma once

#include <map>
#include <set>
#include <string>

namespace syncsniff::compare {

// Maps each file of b that has a counterpart to its name in a. Equal names match first, then the paths with the longest
// common end; files with different last components never match. The mapping is one to one.
std::map<std::string, std::string> match_files(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace syncsniff::compare
