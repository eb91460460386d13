// Which file of one version corresponds to which file of the other: checkouts may be in different folders.
#pragma once

#include <map>
#include <set>
#include <string>

namespace syncsniff::compare {

// Each file of b that has one in a, by b's name. Equal names first, then the longest common end of the paths; files
// whose last component differs are other files. One to one.
std::map<std::string, std::string> match_files(const std::set<std::string>& a, const std::set<std::string>& b);

}  // namespace syncsniff::compare
