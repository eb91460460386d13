// The files in which findings are reported: patterns of a configuration file, relative to its folder.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rules/path_glob.h"

namespace syncsniff {

struct FileFilter {
  std::string folder;          // canonical
  std::vector<PathGlob> only;  // empty: all files
  std::vector<PathGlob> exclude;

  // `path`: canonical. A file outside of the folder is matched by its whole path.
  bool matches(const PathGlob& pattern, const std::string& path) const {
    const bool below = !folder.empty() && path.starts_with(folder + "/");
    return pattern.matches(below ? path.substr(folder.size() + 1) : path) ||
           (pattern.text().starts_with('/') && pattern.matches(path));
  }

  bool keeps(const std::string& path) const {
    const auto matches_path = [&](const PathGlob& pattern) { return matches(pattern, path); };
    return (only.empty() || std::any_of(only.begin(), only.end(), matches_path)) &&
           std::none_of(exclude.begin(), exclude.end(), matches_path);
  }
};

}  // namespace syncsniff
