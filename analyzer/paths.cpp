#include "analyzer/paths.h"

#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <unordered_map>

namespace syncsniff {

namespace fs = std::filesystem;

namespace {

std::string resolved(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path).string() : out.string();
}

// A database names the same few folders thousands of times, and resolving one asks the file system for each folder
// above it. Symbolic links that change while the program runs are not resolved again.
const std::string& resolved_folder(const std::string& folder) {
  static std::mutex lock;
  static std::unordered_map<std::string, std::string> known;
  const std::lock_guard guard(lock);
  const auto [entry, fresh] = known.try_emplace(folder);
  if (fresh) entry->second = resolved(folder);
  return entry->second;
}

}  // namespace

std::string canonical(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (!path.starts_with('/') || slash == 0 || name.empty() || name == "." || name == "..") return resolved(path);
  struct stat found;
  if (lstat(path.c_str(), &found) != 0 || S_ISLNK(found.st_mode)) return resolved(path);
  const std::string& folder = resolved_folder(path.substr(0, slash));
  return folder + (folder.ends_with('/') ? "" : "/") + name;
}

std::string shown(const std::string& path) {
  if (path.empty()) return path;
  static const std::string kHere = canonical(fs::current_path().string()) + "/";
  const std::string whole = canonical(path);
  return whole.compare(0, kHere.size(), kHere) == 0 ? whole.substr(kHere.size()) : whole;
}

std::string given_path(const frontend::CompileCommand& command) {
  return (fs::path(command.directory) / command.file).string();  // an absolute file stays as it is
}

std::string unit_path(const frontend::CompileCommand& command) { return canonical(given_path(command)); }

}  // namespace syncsniff
