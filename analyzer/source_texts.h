// Texts to read in place of files: absolute paths with links resolved, such as files as git's index has them.
#pragma once

#include <map>
#include <string>

namespace syncsniff {

using SourceTexts = std::map<std::string, std::string>;

}  // namespace syncsniff
