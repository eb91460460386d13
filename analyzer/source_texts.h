// Texts to read in place of files, as those in git's index, by absolute path with symbolic links resolved.
#pragma once

#include <map>
#include <string>

namespace syncsniff {

using SourceTexts = std::map<std::string, std::string>;

}  // namespace syncsniff
