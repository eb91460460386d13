// The sources that a folder stands for when a user names it among the files.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

struct FolderSources {
  std::vector<std::string> units;    // .cu, .cpp, .c and the like
  std::vector<std::string> headers;  // .cuh, .h and the like
};

// Both lists are sorted, with canonical paths. Left out: hidden folders, build folders (with a CMakeCache.txt), links
// to folders, and what may not be read. Errors: std::runtime_error if the folder contains no source at all.
FolderSources sources_below(const std::string& folder);

}  // namespace syncsniff
