// Where CMake's FetchContent lays out other projects, and lays them out anew when it likes: nothing there is edited.
#pragma once

#include <filesystem>
#include <string>

namespace syncsniff {

// By the path as it is written: links in it are not resolved.
inline bool is_below_fetched(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string().find("/_deps/") != std::string::npos;
}

}  // namespace syncsniff
