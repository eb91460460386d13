// What a folder stands for where a user names one among the files.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

struct FolderSources {
  std::vector<std::string> units;    // .cu, .cpp, .c and their kin
  std::vector<std::string> headers;  // .cuh, .h and their kin
};

// Both sorted, canonical. Left out: hidden folders, build folders (a CMakeCache.txt stands in them), links to folders,
// and what may not be read. Errors: std::runtime_error where the folder holds no source at all.
FolderSources sources_below(const std::string& folder);

}  // namespace syncsniff
