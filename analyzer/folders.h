// Which folder a file belongs to. Looks for repositories, and reads nothing else.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace syncsniff {

// The nearest folder at or above `folder` that contains .git (a file in worktrees and submodules); `folder` if there is
// none.
inline std::filesystem::path repository_root(const std::filesystem::path& folder) {
  for (std::filesystem::path root = folder;; root = root.parent_path()) {
    std::error_code error;
    if (std::filesystem::exists(root / ".git", error)) return root;
    if (!root.has_relative_path()) return folder;
  }
}

// Both paths are absolute, as canonical() returns them.
inline bool is_below(const std::string& file, const std::filesystem::path& folder) {
  const std::string prefix = folder.string();
  return file.starts_with(prefix == "/" ? prefix : prefix + "/");
}

// Relative to `root` if the file is below it, else unchanged.
inline std::string path_below(const std::filesystem::path& root, const std::filesystem::path& file) {
  const std::filesystem::path relative = file.lexically_relative(root);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : file).generic_string();
}

}  // namespace syncsniff
