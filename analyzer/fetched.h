// Files below CMake's FetchContent folder: CMake may restore them at any time, so they are not edited.
#pragma once

#include <filesystem>
#include <string>

namespace syncsniff {

// Judged by the path as written: symbolic links in it are not resolved.
inline bool is_below_fetched(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string().find("/_deps/") != std::string::npos;
}

}  // namespace syncsniff
